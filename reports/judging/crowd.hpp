// What became of the bench when all its GPUs talked at once: a line for the verdict, findings, and which bytes were not
// there. Pure.
//
//   crowd_line(ledger)   // "all_pairs delivered 6/6 (9.90 GB/s in sum, of 11.8 at most), ring wrong: gpu2 up store"
//
// Asked are pairs that deliver by themselves. So whatever goes wrong here contradicts an open bench, and bytes that are
// missing or wrong make the verdict silent, as they do in the core. A sum that is more than the links between the GPUs
// can carry is a finding, as it is of a single pair.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ceilings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// One line, without a line break; empty in sessions of before there was a crowd.
std::string crowd_line(const Ledger& ledger);

// What each flow carried beside all others, GB/s of its own bytes over the seconds from when all could begin to its end.
struct FlowRate {
    std::string name;  // "gpu0_to_gpu1 store"
    double gb_per_s = 0;
};
// Of the check all_pairs, where it delivered; in the order of the record.
std::vector<FlowRate> crowd_rates(const Ledger& ledger);

// The cases in which success was reported and bytes were not there.
Entries lost_in_the_crowd(const Ledger& ledger);
// "crowd.all_pairs.bench: gpu0_to_gpu1 store: ..."
std::string text_of_crowd(const Ledger::Entry& entry);

void crowd_findings(const Ledger& ledger, std::vector<Finding>& findings);

// What flows between these directed pairs can carry in sum where all move as much in the same time, GB/s: as much as
// the link that the most of them cross for what it carries. Each pair counts as often as it is there.
Ceiling ceiling_of_sum(const Plan& plan, const std::vector<std::pair<int, int>>& flows, Reading reading,
                       const Observed& seen = {});

}  // namespace peerproof
