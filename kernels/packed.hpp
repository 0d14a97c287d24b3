// The words of a sweep side by side: word i of `words` is word_of(stamp, places[i]), the word that belongs at
// that place of the other memory. By the owner of the memory.
//
//   fill_packed<<<...>>>(words, places, count, stamp);
//   compare_packed<<<...>>>(words, places, count, stamp, poison, result);   // result->first is an index
//
// `places` is memory of the owner; `result` as for compare().
#pragma once

#include "kernels/comparison.hpp"
#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void fill_packed(std::uint64_t* words, const std::uint64_t* places, std::uint64_t count,
                                  std::uint64_t stamp);
PEERPROOF_KERNEL void compare_packed(const std::uint64_t* words, const std::uint64_t* places,
                                     std::uint64_t count, std::uint64_t stamp, std::uint64_t poison,
                                     Comparison* result);

}  // namespace peerproof::kernels
