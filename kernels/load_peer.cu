#include "kernels/load_peer.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void load_peer(std::uint64_t* own, const std::uint64_t* peer, std::uint64_t count,
                                const std::uint64_t* places) {
    // volatile: each word is asked of the peer, once, and not answered from a read-only cache.
    const volatile std::uint64_t* window = peer;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
        own[i] = window[places != nullptr ? places[i] : i];
}

PEERPROOF_SIMULATE(load_peer)

}  // namespace peerproof::kernels
