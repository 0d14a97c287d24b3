// What every comparison of the suite writes down of one word that its owner looked at.
#pragma once

#include "kernels/comparison.hpp"
#include "kernels/kernel.cuh"
#include "kernels/stamp_word.hpp"

#if defined(__CUDACC__) || defined(PEERPROOF_SIMULATED_DEVICE)
namespace peerproof::kernels {

struct Wanted {
    std::uint64_t stamp, poison;
};

// `first` is what the caller counts by: a place, or an index. Rare on a good path, so it may be slow.
PEERPROOF_DEVICE_ONLY inline void note(std::uint64_t found, std::uint64_t place, std::uint64_t first,
                                       const Wanted& wanted, Comparison* result) {
    const std::uint64_t expected = word_of(wanted.stamp, place);
    if (found == expected) return;
    atomicAdd(&result->mismatched, 1ull);
    atomicMin(&result->first, static_cast<unsigned long long>(first));
    if (found == word_of(wanted.poison, place)) atomicAdd(&result->poison, 1ull);
    if (found == 0) atomicAdd(&result->zeros, 1ull);
    if (found == ~std::uint64_t{0}) atomicAdd(&result->ones, 1ull);
    atomicAdd(&result->wrong_bits, static_cast<unsigned long long>(__popcll(found ^ expected)));
}

}  // namespace peerproof::kernels
#endif
