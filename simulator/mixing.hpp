// A switch that mixes up flows: [[switch]] mixes_up. While flows from one GPU behind it into two others are in flight at
// once, every eighth 32-byte sector of their first 4 KiB is the other's. Run by the GPU processes: a flow leaves what it
// carries with the others when it begins and when it ends, and takes what they carry, or have left with it, at its end.
//
// Two that overlap are never both right. What one leaves with another bears the number of that flight, so that a later
// one in its place never finds it.
#pragma once

#include "simulator/history.hpp"

namespace peerproof::simulated {

// Also notes in the command where a kernel moves its bytes from and to, where it says so and moves them in one piece.
void begin_flow(const Control&, Command&, Flights&);
void end_flow(const Bench&, const Command&, Flights&);

}  // namespace peerproof::simulated
