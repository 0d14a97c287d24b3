// Kernels that answer wrongly, for suites that are broken. Only a bench with a [[kernel]] rule runs one.
#pragma once

#include "simulator/bench.hpp"
#include "simulator/kernel_registry.hpp"

namespace peerproof::simulated {

// Answers for a comparison kernel that every word is the expected one, without looking.
void say_equal(const char* kernel, void* const* arguments);

// The comparison kernel, but: it does not look at the last word, or looks at that one alone, and says that
// the others are right (all_but_last, last_only); or it names the neighbour of the first wrong word, or a
// word that is in no memory (false_first, first_outside). Every other kernel runs as it is written.
void compare_wrongly(Deed deed, const Kernel& kernel, void* const* arguments);

}  // namespace peerproof::simulated
