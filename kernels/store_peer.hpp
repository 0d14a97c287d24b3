// A kernel on the actor stores `count` words of its own memory into a peer's.
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {
PEERPROOF_KERNEL void store_peer(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t count);
}
