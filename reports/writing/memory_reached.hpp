// How much of each GPU's memory the core checks reached through windows: their sweeps put single words from
// the beginning to the end of what could be had, and the owner of the memory finds them or does not.
//
// Only sweeps that delivered count. What a pair reached of a GPU says nothing of what another pair reached,
// so the least over all cases is told. Pure.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"

namespace peerproof {

// "gpu0: 63.9 of 64.0 GiB, one word in every 2 MiB (32768 words)"; a line for each sweep that did not
// deliver, and the size of the large step. None where no case swept.
std::vector<std::string> reached_lines(const Ledger& ledger);

}  // namespace peerproof
