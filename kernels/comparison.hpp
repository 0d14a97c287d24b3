// What a comparison of the suite found: filled by the kernel, read by the caller.
#pragma once

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

}  // namespace peerproof::kernels
