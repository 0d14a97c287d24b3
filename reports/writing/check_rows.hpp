// The five rows of the article (capability bit, enabling, copy, read, write) and one for the staged copy: of
// how many directed pairs each is true, and what the others answered.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/judging/ledger.hpp"

namespace peerproof {

struct Row {
    std::string check;  // "can_access_peer", "enable_peer_access", "copy", "read", "write", "staged_copy"
    std::string title;  // for a person
    int held = 0;       // yes, enabled, delivered
    int of = 0;         // directed pairs
    std::vector<std::pair<std::string, int>> answers;  // the most frequent first
};

std::vector<Row> rows_of(const Ledger& ledger);

// The first error that the record names: "700 cudaErrorIllegalAddress"; empty if none.
std::string error_of(const Record& record);

}  // namespace peerproof
