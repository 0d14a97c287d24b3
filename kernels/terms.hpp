// The values of a sum over ranks. Element e of rank r holds offset_of(seed, e) plus 4 to the power
// (r + e) mod 16: a different value for each rank and element, and the sum of up to 16 ranks says by itself
// which of them is missing and which came twice (decode_sum in fixtures/nccl/sum.hpp).
//
//   fill_terms<<<...>>>(mine, count, seed, 1 << rank);                             // what a rank puts in
//   compare_terms<<<...>>>(sum, count, seed, every_rank, poison_seed, &result);    // by the owner of the sum
//
// Ranks are bits of a mask, 0 to 63. Arithmetic is modulo 2^32, as NCCL's sum of ncclUint32 is.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

struct TermComparison {
    unsigned long long compared;
    unsigned long long mismatched;
    unsigned long long first;   // element; all ones where nothing differs
    unsigned long long poison;  // elements that still hold the poison
    unsigned long long zeros;
};

PEERPROOF_DEVICE constexpr std::uint32_t offset_of(std::uint32_t seed, std::uint64_t element) {
    std::uint64_t mixed = ((element + 1) * 0x9e3779b97f4a7c15) ^ (seed * 0xd6e8feb86659fd93);
    mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9;
    return static_cast<std::uint32_t>(mixed >> 32);
}

PEERPROOF_DEVICE constexpr std::uint32_t digit_of(unsigned rank, std::uint64_t element) {
    return 1u << (2 * ((rank + element) & 15));
}

PEERPROOF_DEVICE constexpr std::uint32_t sum_of_terms(std::uint32_t seed, std::uint64_t ranks,
                                                      std::uint64_t element) {
    std::uint32_t sum = 0;
    for (unsigned rank = 0; rank < 64 && ranks >> rank != 0; ++rank) {
        if ((ranks >> rank & 1) != 0) sum += offset_of(seed, element) + digit_of(rank, element);
    }
    return sum;
}

PEERPROOF_KERNEL void fill_terms(std::uint32_t* elements, std::uint64_t count, std::uint32_t seed,
                                 std::uint64_t ranks);
PEERPROOF_KERNEL void compare_terms(const std::uint32_t* elements, std::uint64_t count, std::uint32_t seed,
                                    std::uint64_t ranks, std::uint32_t poison_seed, TermComparison* result);

}  // namespace peerproof::kernels
