// The owner writes a stamp into its own memory: word i of `words` becomes word_of(stamp, first_place + i).
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {
PEERPROOF_KERNEL void fill(std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                           std::uint64_t first_place);
}
