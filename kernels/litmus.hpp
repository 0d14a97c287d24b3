// Two kernels on two GPUs that show in what order one sees what the other does, slot by slot. Each slot has a location
// x and a location y, which hold old values before and new ones after.
//
//   litmus<<<...>>>(run, meeting);    // side 0 on one GPU, side 1 on the other, as many threads of each
//
//   shape             side 0                       side 1                      may not be
//   message_passing   x = new; y = new (a flag)    waits for new y; loads x    old x
//   store_buffering   x = new; loads y             y = new; loads x            old y and old x
//   load_buffering    loads x; y = new             loads y; x = new            new x and new y
//
// Between the two acts of a side stands a fence of system scope; in message passing without `fences` the flag is
// released and acquired instead. Both kernels stay until the other has come to its end: stores that are seen only when
// their kernel ends do not look in time. Where the sides keep in step, neither begins a slot before the other has come
// to it: acts that are far apart show nothing of their order.
//
//   set_slots<<<...>>>(words, stride, slots, stamp);     // by the owner: word_of(stamp, slot) into each slot
//   get_slots<<<...>>>(own, words, stride, slots);       // by the owner: what each slot holds
#pragma once

#include <cstdint>

#include "kernels/meeting.hpp"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {

enum class Shape : std::uint32_t { message_passing, store_buffering, load_buffering };

struct Litmus {
    Shape shape;
    std::uint32_t fences;
    std::uint32_t in_step;
    std::uint64_t side;
    std::uint64_t *x, *y;  // of slot 0
    std::uint64_t stride;  // words from slot to slot
    std::uint64_t slots;
    std::uint64_t new_x, new_y;  // stamps
    // Memory of the actor: what it loaded of each slot, 0 where it did not come to that; behind it a word for the
    // threads that have come to their end, and one for those that looked for a flag in vain: a good many times after
    // the writer had stored everything and stayed.
    std::uint64_t* seen;
    // For each thread the number of the slot that the other side has come to, 0 before: in the actor's memory, and in
    // the peer's.
    const std::uint64_t* own_steps;
    std::uint64_t* peers_steps;
};

inline constexpr std::uint64_t step_words = 4;  // from thread to thread

PEERPROOF_KERNEL void litmus(Litmus run, Meeting meeting);
PEERPROOF_KERNEL void set_slots(std::uint64_t* words, std::uint64_t stride, std::uint64_t slots,
                                std::uint64_t stamp);
PEERPROOF_KERNEL void get_slots(std::uint64_t* own, const std::uint64_t* words, std::uint64_t stride,
                                std::uint64_t slots);

}  // namespace peerproof::kernels
