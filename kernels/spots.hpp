// Single words scattered over a memory, each with guard words around it: what a sweep reaches, and what it
// must not touch. By the owner of the memory.
//
//   fill_spots<<<...>>>(words, limit, places, count, stamp, guard);
//   compare_spots<<<...>>>(words, limit, places, count, stamp, poison, guard, result);
//
// Word places[i] of `words` is word_of(stamp, places[i]). The rest of its 32-byte sector and the sectors
// before and behind it hold word_of(guard, place), as far as they lie within `limit` words. Spots must be 12
// words apart or more. `places` is memory of the owner; `result` as for compare(), with ~0 in first_beside.
#pragma once

#include "kernels/comparison.hpp"
#include "kernels/kernel.cuh"

namespace peerproof::kernels {

inline constexpr std::uint64_t sector_words = 4;

PEERPROOF_KERNEL void fill_spots(std::uint64_t* words, std::uint64_t limit, const std::uint64_t* places,
                                 std::uint64_t count, std::uint64_t stamp, std::uint64_t guard);
PEERPROOF_KERNEL void compare_spots(const std::uint64_t* words, std::uint64_t limit,
                                    const std::uint64_t* places, std::uint64_t count, std::uint64_t stamp,
                                    std::uint64_t poison, std::uint64_t guard, Comparison* result);

}  // namespace peerproof::kernels
