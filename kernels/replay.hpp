// What a graph does again and again, with other values each time: they come out of memory, by a round that the graph
// counts itself, so that nothing which was kept from an earlier round can pass for this one's.
//
//   next_round<<<1, 1>>>(round);                                                 // a word of the GPU's own memory
//   fill_round<<<...>>>(words, count, stamp, round);                             // by the owner of the words
//   compare_round<<<...>>>(words, count, acts, stamp, poison, round, limit, looks);
//
// In round r word i is word_of(stamp, r * count + i). The words are those of `acts` acts, as many of each side by
// side; looks[r * acts + a] gets what the owner saw of act a. Rounds from `limit` on are not looked at.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

// Must hold {0, 0, 0, ~0, 0} before.
struct RoundLook {
    unsigned long long compared;  // words looked at
    unsigned long long wrong;     // words that are not of this round
    unsigned long long poison;    // of them
    unsigned long long index;     // one of the wrong words; ~0: none is
    unsigned long long found;     // there
};

PEERPROOF_KERNEL void next_round(std::uint64_t* round);
PEERPROOF_KERNEL void fill_round(std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                                 const std::uint64_t* round);
PEERPROOF_KERNEL void compare_round(const std::uint64_t* words, std::uint64_t count, std::uint64_t acts,
                                    std::uint64_t stamp, std::uint64_t poison, const std::uint64_t* round,
                                    std::uint64_t limit, RoundLook* looks);

}  // namespace peerproof::kernels
