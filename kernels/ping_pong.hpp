// Two cards wait for each other: each looks into its own memory for the value that the other stores there. A
// posted store is issued at once and says nothing of when it is seen; here nobody goes on before it was.
//
//   ping_pong<<<1, 1>>>(own_a, own_b, rounds, 1, stop);   // on card a: the flags are words of a's and of b's
//   memory ping_pong<<<1, 1>>>(own_b, own_a, rounds, 0, stop);   // on card b, at the same time
//
// After it both flags hold base + rounds. `stop` is a word of pinned host memory: not zero ends every wait.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void ping_pong(std::uint64_t* own, std::uint64_t* peer, std::uint64_t base,
                                std::uint64_t rounds, std::uint64_t begins, const std::uint32_t* stop);

}  // namespace peerproof::kernels
