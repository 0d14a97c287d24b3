// Two words, loaded or stored by one instruction: memory is as fast as its accesses are wide.
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

struct alignas(16) Vector {
    std::uint64_t words[2];
};
inline constexpr int in_flight = 4;  // loads that a thread issues before it uses the first

}  // namespace peerproof::kernels
