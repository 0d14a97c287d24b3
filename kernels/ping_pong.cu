#include "kernels/ping_pong.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void ping_pong(std::uint64_t* own, std::uint64_t* peer, std::uint64_t base,
                                std::uint64_t rounds, std::uint64_t begins, const std::uint32_t* stop,
                                std::uint64_t* sent) {
    if (first_of_grid() != 0) return;
    volatile std::uint64_t* mine = own;
    volatile std::uint64_t* others = peer;
    const volatile std::uint32_t* ended = stop;
    bool goes_on = true;
    std::uint64_t round = 1;
    for (; goes_on && round <= rounds; ++round) {
        if (begins != 0) *others = base + round;
        for (unsigned looks = 1; goes_on && *mine != base + round; ++looks) {
            between_looks();
            goes_on = looks % looks_between != 0 || *ended == 0;
        }
        if (goes_on && begins == 0) *others = base + round;
    }
    // The side that begins has stored before it waits.
    *sent = goes_on ? rounds : begins != 0 ? round - 1 : round - 2;
}

PEERPROOF_SIMULATE(ping_pong)

}  // namespace peerproof::kernels
