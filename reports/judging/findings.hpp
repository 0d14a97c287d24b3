// What stands beside the verdict: hints against the truth, evidence that did not deliver, and what was not
// run.
//
// No finding decides anything here; the judge alone reads contradicts_open.
#pragma once

#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

std::vector<Finding> findings_in(const Ledger& ledger);

// On a locked bench: that its copies fail as well, so that nobody relies on staging there.
void add_copies_too(const Ledger& ledger, std::vector<Finding>& findings);

}  // namespace peerproof
