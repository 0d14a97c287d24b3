// The owner looks: its own loads of its own memory against the words of a stamp. The one comparison of the
// suite, used by every check and held to account by the controls.
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

struct Comparison {
    unsigned long long compared;    // words looked at; the caller demands that it is all of them
    unsigned long long mismatched;  // words that are not the stamp's
    unsigned long long first;       // place of the first of them; ~0 if none
    unsigned long long poison;      // mismatched words that are still the poison's
    unsigned long long zeros;       // mismatched words that are 0
    unsigned long long ones;        // mismatched words that are all ones
    unsigned long long wrong_bits;  // bits that differ, over all mismatched words
    unsigned long long beside;  // words beside those compared that are not the guard's; compare_spots only
    unsigned long long first_beside;  // place of the first of them; ~0 must stand there before
};

// `result` must hold {0, 0, ~0, 0, 0, 0, 0}. `places` start at first_place for word 0 of `words`.
PEERPROOF_KERNEL void compare(const std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                              std::uint64_t poison, std::uint64_t first_place, Comparison* result);

}  // namespace peerproof::kernels
