// How far a check came through a window. Pure.
#pragma once

#include "reports/judging/ledger.hpp"

namespace peerproof {

// Some of its steps delivered, and then one did not.
bool came_part_of_the_way(const Record& record);

// A kernel's access ended in an illegal address, and none of it arrived. Closed means closed from the first
// word on: a window whose beginning is open is a bench with two faces.
bool is_closed(const Ledger::Entry& entry);

}  // namespace peerproof
