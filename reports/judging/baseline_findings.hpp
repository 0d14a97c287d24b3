// Where the bench is not what a person's file says of it, and where the file is of another bench.
#pragma once

#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

void baseline_findings(const Ledger& ledger, std::vector<Finding>& findings);

}  // namespace peerproof
