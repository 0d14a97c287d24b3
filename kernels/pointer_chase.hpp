// Loads of which each needs the answer of the one before: what one load of a memory takes.
//
//   weave<<<...>>>(chain, words, stride, key);           // by the owner of the chain
//   pointer_chase<<<1, 1>>>(chain, words, steps, key, &last);    // by whoever measures
//   last == (steps * stride) % words
//
// `words` is a power of two, so that wrong bytes lead astray and never outside; the place where the walk ends
// shows that every load brought the owner's bytes. `key` makes the values of each sample new. The stride is
// odd and well above a cache line, so that no line is met twice.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void weave(std::uint64_t* chain, std::uint64_t words, std::uint64_t stride,
                            std::uint64_t key);
PEERPROOF_KERNEL void pointer_chase(const std::uint64_t* chain, std::uint64_t words, std::uint64_t steps,
                                    std::uint64_t key, std::uint64_t* last);

}  // namespace peerproof::kernels
