// What stands beside the verdict: hints against the truth, evidence that did not deliver, and what was not
// run.
//
// What this is not: a reason. No finding here decides anything; the judge alone reads contradicts_open.
#pragma once

#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

std::vector<Finding> findings_in(const Ledger& ledger);
void baseline_findings(const Ledger& ledger, std::vector<Finding>& findings);

// On a locked bench: that its copies fail as well, so that nobody relies on staging there.
void add_copies_too(const Ledger& ledger, std::vector<Finding>& findings);

// Closed means closed from the first word on: a window whose beginning is open is a bench with two faces.
bool came_part_of_the_way(const Record& record);
bool is_closed(const Ledger::Entry& entry);  // a kernel's access: an illegal address, and none of it arrived

// "read not_run" is a finding, and a line of its own in the reports.
inline constexpr const char* not_run = "not run";
// It began, and its end was not seen: that is not the same.
inline constexpr const char* unfinished = "unfinished";

}  // namespace peerproof
