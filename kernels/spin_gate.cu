#include "kernels/spin_gate.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void spin_gate(const std::uint32_t* open, std::uint64_t patience) {
    if (first_of_grid() != 0) return;
    const volatile std::uint32_t* word = open;
    const auto began = clock64();
    while (*word == 0 && static_cast<std::uint64_t>(clock64() - began) < patience) __nanosleep(200);
}

PEERPROOF_SIMULATE(spin_gate)

}  // namespace peerproof::kernels
