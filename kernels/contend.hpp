// Two GPUs change the same words at the same time, many threads of each, by one atomic operation of system scope. What
// the words hold at the end says how often each update was done.
//
//   contend<<<...>>>(contest, meeting);    // on the owner of the words, and on its peer, with sides of their own
//
// Every word is updated `rounds` times by each side:
//
//   add               a share of that side is added                  initial + rounds * (share(0) + share(1))
//   compare_and_swap  the same, each addition tried until it holds   the same
//   exchange          a value of its own is put in                   every value was handed out once, or is there
//   bit_or, bit_and   a bit of its own is set, or cleared            all ones, or zero; from zero, or all ones
//
// `returned`, memory of the actor with a word for each of `words`, gets the sum of the weights of all that exchanges
// gave back. fixtures/contest.hpp is the arithmetic that judges it.
#pragma once

#include <cstdint>

#include "kernels/meeting.hpp"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {

enum class Atomic : std::uint32_t { add, compare_and_swap, exchange, bit_or, bit_and };

struct Contest {
    Atomic operation;
    std::uint32_t bits;  // of a word: 32 or 64
    void* words;
    std::uint64_t count;
    std::uint64_t rounds;
    std::uint64_t side;  // 0: the owner of the words, 1: its peer
    std::uint64_t key;   // of the values that are put in
    std::uint64_t* returned;
};

// Odd, and full of bits in both halves: halves that are added apart lack a carry soon.
PEERPROOF_DEVICE constexpr std::uint64_t share_of_side(std::uint64_t side) {
    return side == 0 ? 0x9e3779b97f4a7c15 : 0xc2b2ae3da7d4eb4f;
}

// The value of an exchange; what a word holds before it is that of side 2, round 0.
PEERPROOF_DEVICE constexpr std::uint64_t value_put_in(const Contest& contest, std::uint64_t side,
                                                      std::uint64_t round, std::uint64_t word) {
    const std::uint64_t place = (side * contest.rounds + round) * contest.count + word;
    const std::uint64_t value = word_of(contest.key, place + 1);
    return contest.bits == 32 ? value >> 32 : value;
}

// Sums of weights are equal only where the values are: two halves that changed places have other weights.
PEERPROOF_DEVICE constexpr std::uint64_t weight_of(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

// The sides take turns, so that their bits lie in the same bytes.
PEERPROOF_DEVICE constexpr std::uint64_t bit_of(std::uint64_t side, std::uint64_t round) {
    return std::uint64_t{1} << (2 * round + side);
}

PEERPROOF_KERNEL void contend(Contest contest, Meeting meeting);

}  // namespace peerproof::kernels
