#include "kernels/gate.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void gate(const std::uint32_t* open) {
    if (first_of_grid() != 0) return;
    const volatile std::uint32_t* word = open;
    while (*word == 0) __nanosleep(200);
}

PEERPROOF_SIMULATE(gate)

}  // namespace peerproof::kernels
