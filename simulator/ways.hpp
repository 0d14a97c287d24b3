// [[way]]: what a path does where software reaches over it in one way only, and which calls a bench refuses.
#pragma once

#include <string_view>

#include "simulator/layout.hpp"

namespace peerproof::simulated {

// The rules for memory that was mapped in one way.
struct MappedAs {
    Way way;
    bool is_foreign;  // memory of another process
};

// Change what loads and stores of `actor` do to the memory of `owner`.
void apply_ways(const Bench&, const MappedAs&, int actor, int owner, Load&, Store&);
bool is_always_open(const Bench&, const MappedAs&, int actor, int owner);  // whatever access was given
// The rule for a copy between the two; null where there is none.
const WayRule* copy_rule(const Bench&, const MappedAs&, int from, int to);

// Whether a call of this name may be refused in this way.
bool is_call_of(Way way, std::string_view call);
// The error that the bench answers to a call by which `actor` reaches the memory of `owner`, 0 where it does
// not refuse: that of memory of its own it never does. -1: no GPU in particular.
int refusal(const Bench&, std::string_view call, int actor, int owner);

}  // namespace peerproof::simulated
