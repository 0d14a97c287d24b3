// A kernel on the actor stores `count` words of its own memory into a peer's. Where `places` is not null,
// word i becomes word places[i] of the peer's memory; the list is memory of the actor.
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {
PEERPROOF_KERNEL void store_peer(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t count,
                                 const std::uint64_t* places);
}
