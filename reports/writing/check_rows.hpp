// What was asked of every pair: the capability bit, enabling, and each check of core, evidence and ways that the
// plan has, by its title and in the order of the numbers. Of how many directed pairs each is true (of how many GPUs
// or places, where the title says so), and what the others answered.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/judging/ledger.hpp"

namespace peerproof {

struct Row {
    std::string check;  // "can_access_peer", "enable_peer_access", or the name of a check: "read"
    std::string title;  // for a person
    int held = 0;       // yes, enabled, delivered
    int of = 0;         // directed pairs, GPUs or places
    std::vector<std::pair<std::string, int>> answers;  // the most frequent first
};

std::vector<Row> rows_of(const Ledger& ledger);

// The first error that the record names: "700 cudaErrorIllegalAddress"; empty if none.
std::string error_of(const Record& record);

}  // namespace peerproof
