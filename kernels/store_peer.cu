#include "kernels/store_peer.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void store_peer(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t count,
                                 const std::uint64_t* places) {
    // volatile: each word leaves as a store of its own and is not held back.
    volatile std::uint64_t* window = peer;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
        window[places != nullptr ? places[i] : i] = own[i];
}

PEERPROOF_SIMULATE(store_peer)

}  // namespace peerproof::kernels
