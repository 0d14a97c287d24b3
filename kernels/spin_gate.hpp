// Holds a stream until the host opens it, so that what is queued behind it begins at once and the time of
// launching is outside of what is timed.
//
//   spin_gate<<<1, 1, 0, stream>>>(word, patience);   // a word of pinned host memory: 0 is shut
//
// It opens by itself after `patience` ticks of the GPU's clock: a driver may do a copy between two GPUs on
// the host, and hold the host up until the stream comes to it.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void spin_gate(const std::uint32_t* open, std::uint64_t patience);

}  // namespace peerproof::kernels
