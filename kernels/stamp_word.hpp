// The word that a stamp puts at each place of a buffer. Every word of a block is different, so that bytes
// which arrive at the wrong offset (a window that wraps, a copy that shifts) cannot pass for the right ones.
//
//   word_of(stamp, i) == word_of(stamp, j) only where i == j; place_of(stamp, word_of(stamp, i)) == i
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

inline constexpr std::uint64_t place_factor = 0x9e3779b97f4a7c15;   // odd, so that it has an inverse
inline constexpr std::uint64_t place_inverse = 0xf1de83e19937733d;  // place_factor * place_inverse == 1

static_assert(place_factor * place_inverse == 1);

PEERPROOF_DEVICE constexpr std::uint64_t word_of(std::uint64_t stamp, std::uint64_t place) {
    return stamp ^ (place * place_factor);
}

PEERPROOF_DEVICE constexpr std::uint64_t place_of(std::uint64_t stamp, std::uint64_t word) {
    return (stamp ^ word) * place_inverse;
}

}  // namespace peerproof::kernels
