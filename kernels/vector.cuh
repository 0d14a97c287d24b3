// Two words, loaded or stored by one instruction: memory is as fast as its accesses are wide.
#pragma once

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

// Not CUDA's ulonglong2: its members are of another type than std::uint64_t, and the host compiler of the
// simulated bench may take the two for different memory.
struct alignas(16) Vector {
    std::uint64_t words[2];
};
inline constexpr int in_flight = 4;  // loads that a thread issues before it uses the first

}  // namespace peerproof::kernels
