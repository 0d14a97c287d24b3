// What the measurements of a session contradict. Pure.
//
// Above its hard limit a measurement is impossible, and peer memory that answers as fast as the GPU's own is
// local: both turn an open verdict into suspect, as does a measurement whose bytes are not there. A staged measurement
// says nothing of peer access, so that an impossible one contradicts nothing. Where a bridge's status says
// less than verified bytes between its GPU and host memory show, the status is wrong, and no ceiling
// (ceilings.hpp). Below 60 % of its ceiling, or on a link that stays below its maximum under load, a pair is
// slow, and the verdict stays. Nothing here makes a verdict better.
#pragma once

#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

void measurement_findings(const Ledger& ledger, std::vector<Finding>& findings);

}  // namespace peerproof
