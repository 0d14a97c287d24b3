// Two GPUs wait for each other: each looks into its own memory for the value that the other stores there. A
// posted store is issued at once and says nothing of when it is seen; here nobody goes on before it was.
//
//   ping_pong<<<1, 1>>>(flag_a, flag_b, base, rounds, 1, stop, sent_a);   // on GPU a
//   ping_pong<<<1, 1>>>(flag_b, flag_a, base, rounds, 0, stop, sent_b);   // on GPU b, at the same time
//
// A flag is a word of the memory of the GPU that waits for it. After it both hold base + rounds. `stop` is a
// word of pinned host memory: not zero ends every wait. `sent`, a word of the GPU's own memory, is how many
// values it stored into the other's flag: where the flag holds another value once both kernels have ended, a
// store was lost.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void ping_pong(std::uint64_t* own, std::uint64_t* peer, std::uint64_t base,
                                std::uint64_t rounds, std::uint64_t begins, const std::uint32_t* stop,
                                std::uint64_t* sent);

}  // namespace peerproof::kernels
