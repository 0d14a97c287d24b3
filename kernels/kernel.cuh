// What every kernel file includes: the way to declare a kernel that a real GPU and the simulated bench both
// run.
//
// A kernel is declared in its .hpp as PEERPROOF_KERNEL void name(args), so that host code can launch it
// without nvcc, and defined once in its .cu. The simulated bench compiles the same .cu with the host compiler
// and finds the kernel by its mangled name: hence PEERPROOF_SIMULATE(name) at the end of the file, which is
// empty under nvcc. Kernels use grid-stride loops and atomics, and neither barriers nor shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define PEERPROOF_KERNEL __global__
#define PEERPROOF_DEVICE __host__ __device__
#define PEERPROOF_DEVICE_ONLY __device__
#define PEERPROOF_SIMULATE(name)
#elif defined(PEERPROOF_SIMULATED_DEVICE)
// The host compiler, for the simulated bench: threadIdx and friends, atomics, and PEERPROOF_SIMULATE.
#include "simulator/device.hpp"
#define PEERPROOF_KERNEL
#define PEERPROOF_DEVICE
#define PEERPROOF_DEVICE_ONLY
#else
// Host code that only launches: the name is that of nvcc's launch stub.
#define PEERPROOF_KERNEL
#define PEERPROOF_DEVICE
#endif

#if defined(__CUDACC__) || defined(PEERPROOF_SIMULATED_DEVICE)
namespace peerproof::kernels {
// for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
PEERPROOF_DEVICE_ONLY inline std::size_t first_of_grid() {
    return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
PEERPROOF_DEVICE_ONLY inline std::size_t size_of_grid() { return std::size_t{gridDim.x} * blockDim.x; }

// Adds what every thread has, one atomic a warp: half a million of them on one word take longer than a memory
// is read. Every thread of every block calls it once.
PEERPROOF_DEVICE_ONLY inline void add_of_all(unsigned long long* sum, unsigned long long value) {
#ifdef __CUDACC__
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
    if (threadIdx.x % 32 != 0) return;
#endif
    if (value != 0) atomicAdd(sum, value);
}

// Between two looks of a kernel that waits: nothing on a GPU, where a pause would be part of what is
// measured. On the simulated bench there may be fewer processors than GPUs. Host memory is looked at only
// once in so many looks, for on a GPU that takes longer than what is waited for.
#ifdef PEERPROOF_SIMULATED_DEVICE
inline constexpr unsigned looks_between = 1u << 6;
inline void between_looks() { __nanosleep(0); }
#else
inline constexpr unsigned looks_between = 1u << 14;
PEERPROOF_DEVICE_ONLY inline void between_looks() {}
#endif
}  // namespace peerproof::kernels
#endif
