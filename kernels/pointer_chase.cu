#include "kernels/pointer_chase.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void weave(std::uint64_t* chain, std::uint64_t words, std::uint64_t stride,
                            std::uint64_t key) {
    for (std::size_t i = first_of_grid(); i < words; i += size_of_grid())
        chain[i] = ((i + stride) & (words - 1)) ^ key;
}

PEERPROOF_KERNEL void pointer_chase(const std::uint64_t* chain, std::uint64_t words, std::uint64_t steps,
                                    std::uint64_t key, std::uint64_t* last) {
    if (first_of_grid() != 0) return;
    const volatile std::uint64_t* memory = chain;
    std::uint64_t at = 0;
    for (std::uint64_t step = 0; step < steps; ++step) at = (memory[at] ^ key) & (words - 1);
    *last = at;
}

PEERPROOF_SIMULATE(weave)
PEERPROOF_SIMULATE(pointer_chase)

}  // namespace peerproof::kernels
