// What a kernel file needs of the device, for the host compiler: the built-in variables, atomics and a few
// intrinsics. kernels/kernel.cuh includes it when PEERPROOF_SIMULATED_DEVICE is defined.
//
// A launch runs the kernel once, as a grid of one thread: legal for the grid-stride loops that every kernel
// uses, and as fast as a loop on the host. A kernel that counts on a second thread does not work here.
//
// What a kernel needs and is missing here is a compile error, to be added here.
#pragma once

#include <sched.h>
#include <time.h>

#include <type_traits>

#include "simulator/access.hpp"
#include "simulator/kernel_registry.hpp"

struct SimulatedIndex {
    unsigned x, y, z;
};
inline constexpr SimulatedIndex threadIdx{0, 0, 0};
inline constexpr SimulatedIndex blockIdx{0, 0, 0};
inline constexpr SimulatedIndex blockDim{1, 1, 1};
inline constexpr SimulatedIndex gridDim{1, 1, 1};

#define PEERPROOF_SIMULATE(name)                                              \
    static const ::peerproof::simulated::Registration registration_of_##name{ \
        ::peerproof::simulated::kernel_of<&name>(#name)};

// Without _system an atomic reaches its own GPU only, and here that is one thread: plain loads and stores, so
// that a kernel which means two GPUs and forgets the scope is as wrong as on a real machine.
#define PEERPROOF_ATOMIC(name, operation, result)                                     \
    template <class T>                                                                \
    T name(T* place, std::type_identity_t<T> value) {                                 \
        volatile T* memory = place;                                                   \
        const T found = *memory;                                                      \
        *memory = static_cast<T>(result);                                             \
        return found;                                                                 \
    }                                                                                 \
    template <class T>                                                                \
    T name##_system(T* place, std::type_identity_t<T> value) {                        \
        using ::peerproof::simulated::AtomicOperation;                                \
        return ::peerproof::simulated::atomically(                                    \
            AtomicOperation::operation, place,                                        \
            [value]([[maybe_unused]] T found, T) { return static_cast<T>(result); }); \
    }
PEERPROOF_ATOMIC(atomicAdd, add, found + value)
PEERPROOF_ATOMIC(atomicSub, add, found - value)
PEERPROOF_ATOMIC(atomicOr, bit_or, found | value)
PEERPROOF_ATOMIC(atomicAnd, bit_and, found& value)
PEERPROOF_ATOMIC(atomicXor, other, found ^ value)
PEERPROOF_ATOMIC(atomicExch, exchange, value)
PEERPROOF_ATOMIC(atomicMin, other, value < found ? value : found)
PEERPROOF_ATOMIC(atomicMax, other, found < value ? value : found)
#undef PEERPROOF_ATOMIC

template <class T>
T atomicCAS(T* place, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    volatile T* memory = place;
    const T found = *memory;
    if (found == expected) *memory = value;
    return found;
}
template <class T>
T atomicCAS_system(T* place, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    using ::peerproof::simulated::AtomicOperation;
    return ::peerproof::simulated::atomically(AtomicOperation::compare_and_swap, place, [=](T found, T mask) {
        return ((found ^ expected) & mask) == 0 ? value : found;
    });
}

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }
inline int __clzll(long long value) {
    return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}

// A waiting kernel gives the processor away: there may be fewer of them than simulated GPUs. One that waits
// in vain must not keep a processor busy until its patience ends.
inline void __nanosleep(unsigned) {
    static unsigned looks = 0;
    if (++looks % 16 != 0) {
        sched_yield();
    } else {
        const timespec pause{0, 50'000};
        nanosleep(&pause, nullptr);
    }
}

// What is timed is modelled (modelled_time.hpp); this is for kernels that lose their patience: a tick a ns.
inline long long clock64() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}
