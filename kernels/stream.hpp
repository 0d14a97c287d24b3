// A stream over a window, as fast as its link: 16 bytes an access, several in flight for each thread.
//
//   stream_load<<<...>>>(own, peer, words);     // loads the peer's memory, stores what it got into its own
//   stream_store<<<...>>>(peer, own, words);    // loads its own, stores into the peer's
//
// Words of 8 bytes, an even number of them, at addresses that are multiples of 16. Each word is asked for
// once.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void stream_load(std::uint64_t* own, const std::uint64_t* peer, std::uint64_t words);
PEERPROOF_KERNEL void stream_store(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t words);

}  // namespace peerproof::kernels
