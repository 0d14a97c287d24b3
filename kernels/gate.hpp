// Holds a stream until the host opens it, so that what is queued behind it begins at once and the time of
// launching is outside of what is timed.
//
//   gate<<<1, 1, 0, stream>>>(word);   // a word of pinned host memory: 0 is shut
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void gate(const std::uint32_t* open);

}  // namespace peerproof::kernels
