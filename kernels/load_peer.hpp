// A kernel on the actor loads `count` words of a peer's memory and keeps them in its own, one beside the
// other. Where `places` is not null, word i is word places[i] of the peer's memory; the list is memory of the
// actor.
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {
PEERPROOF_KERNEL void load_peer(std::uint64_t* own, const std::uint64_t* peer, std::uint64_t count,
                                const std::uint64_t* places);
}
