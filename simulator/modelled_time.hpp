// Time as the bench models it: what a command moves, and how long that takes. Exact, whatever the host's
// clock does.
//
// Each GPU has a clock that only its own commands move on, by what they move over the path that they take;
// an event records it. The difference of two events of one GPU is therefore a sum of modelled durations.
// Commands that move nothing between memories (fills, comparisons, waiting at a gate) take no time. Two
// transfers between the same GPUs in opposite directions meet where one was posted while the other was not
// done: then each has half of what the path carries in both directions.
#pragma once

#include "simulator/layout.hpp"

namespace peerproof::simulated {

// Of a kernel of `actor`, by its name and arguments.
Transfer transfer_of_kernel(const Command& command, int actor, const Control& control);

// ns; `number` makes the noise of each command another.
std::int64_t duration(const Bench& bench, const Transfer& transfer, std::uint32_t number);

bool is_between_gpus(const Transfer& transfer);
std::uint64_t argument_of(const Command& command, int index);  // one of eight bytes

}  // namespace peerproof::simulated
