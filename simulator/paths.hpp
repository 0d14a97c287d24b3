// Where bytes on the path between two GPUs end: shared by the page tables and the copy calls.
#pragma once

#include <cstdint>

#include "simulator/layout.hpp"

namespace peerproof::simulated {

inline constexpr std::uint64_t shift_bytes = 4096;  // of a window that is off by a page of the host

// A path that flips bits flips one in each 256 KiB, in the middle of a block rather than at its ends.
inline constexpr std::uint64_t flip_step_words = (std::uint64_t{1} << 18) / 8;
inline constexpr std::uint64_t flip_word = 4660;
inline constexpr std::uint64_t flip_bit = std::uint64_t{1} << 17;

// The place in the store that answers for byte `offset` of the owner's memory. Store::real and those that
// have no memory of their own give the true one.
std::uint64_t place_through(const Bench&, Store, int actor, int owner, std::uint64_t offset);

// The same for loads.
std::uint64_t place_through(const Bench&, Load, int actor, int owner, std::uint64_t offset);

}  // namespace peerproof::simulated
