// The owner looks: its own loads of its own memory against the words of a stamp. The one comparison of the
// suite, used by every check and held to account by the controls.
#pragma once

#include "kernels/comparison.hpp"
#include "kernels/kernel.cuh"

namespace peerproof::kernels {

// `result` must hold {0, 0, ~0, 0, 0, 0, 0}. `places` start at first_place for word 0 of `words`.
PEERPROOF_KERNEL void compare(const std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                              std::uint64_t poison, std::uint64_t first_place, Comparison* result);

}  // namespace peerproof::kernels
