// Loads and stores of one kind each, so that a kernel says which instruction reaches a peer and the compiler does
// not choose.
//
//   const T value = load_cached(from);    // T: std::uint8_t, 16_t, 32_t, 64_t, or Vector, 16 bytes at once
//   store_plain(to, value);
//
//   load_plain      as a compiler writes `*from`       load_volatile   not answered from what was loaded before
//   load_cached     ld.ca: through every cache         load_read_only  ld.nc: through the read-only cache
//   store_plain     as a compiler writes `*to = value`
//
// For what two GPUs do to each other at the same time, std::uint32_t and 64_t, all of system scope:
//
//   load_data, store_data    relaxed: no order but that of the same word
//   load_flag                acquire: what comes after it in the program is done after it
//   store_flag               release: what stands before it in the program is seen before it
//   poll_flag, raise_flag    relaxed; the order is that of a fence_system() between flag and data
//   fence_system             __threadfence_system
//
// Addresses are of a GPU's memory. A simulated GPU does what simulator/access.hpp says of each.
#pragma once

#include "kernels/kernel.cuh"
#include "kernels/vector.cuh"

#ifdef PEERPROOF_SIMULATED_DEVICE
#include "simulator/access.hpp"

namespace peerproof::kernels {
using simulated::fence_system;
using simulated::load_cached;
using simulated::load_data;
using simulated::load_flag;
using simulated::load_plain;
using simulated::load_read_only;
using simulated::load_volatile;
using simulated::store_data;
using simulated::store_flag;
using simulated::store_plain;

// A simulated bench tells flags from data, and not how a flag is ordered.
template <class T>
T poll_flag(const T* from) {
    return load_flag(from);
}
template <class T>
void raise_flag(T* to, T value) {
    store_flag(to, value);
}
}  // namespace peerproof::kernels

#elif defined(__CUDACC__)

namespace peerproof::kernels {

// The instructions take addresses of global memory, in which all of this lies.
PEERPROOF_DEVICE_ONLY inline std::size_t global(const void* address) {
    return __cvta_generic_to_global(address);
}

// A byte has no register of its own: it travels in one of 16 bits.
#define PEERPROOF_LOADS(name, instruction)                                                       \
    PEERPROOF_DEVICE_ONLY inline std::uint8_t name(const std::uint8_t* from) {                   \
        std::uint16_t value;                                                                     \
        asm volatile(instruction ".u8 %0, [%1];" : "=h"(value) : "l"(global(from)) : "memory");  \
        return static_cast<std::uint8_t>(value);                                                 \
    }                                                                                            \
    PEERPROOF_DEVICE_ONLY inline std::uint16_t name(const std::uint16_t* from) {                 \
        std::uint16_t value;                                                                     \
        asm volatile(instruction ".u16 %0, [%1];" : "=h"(value) : "l"(global(from)) : "memory"); \
        return value;                                                                            \
    }                                                                                            \
    PEERPROOF_WORD_LOADS(name, instruction)                                                      \
    PEERPROOF_DEVICE_ONLY inline Vector name(const Vector* from) {                               \
        Vector value;                                                                            \
        asm volatile(instruction ".v2.u64 {%0, %1}, [%2];"                                       \
                     : "=l"(value.words[0]), "=l"(value.words[1])                                \
                     : "l"(global(from))                                                         \
                     : "memory");                                                                \
        return value;                                                                            \
    }
#define PEERPROOF_WORD_LOADS(name, instruction)                                                  \
    PEERPROOF_DEVICE_ONLY inline std::uint32_t name(const std::uint32_t* from) {                 \
        std::uint32_t value;                                                                     \
        asm volatile(instruction ".u32 %0, [%1];" : "=r"(value) : "l"(global(from)) : "memory"); \
        return value;                                                                            \
    }                                                                                            \
    PEERPROOF_DEVICE_ONLY inline std::uint64_t name(const std::uint64_t* from) {                 \
        std::uint64_t value;                                                                     \
        asm volatile(instruction ".u64 %0, [%1];" : "=l"(value) : "l"(global(from)) : "memory"); \
        return value;                                                                            \
    }
#define PEERPROOF_WORD_STORES(name, instruction)                                             \
    PEERPROOF_DEVICE_ONLY inline void name(std::uint32_t* to, std::uint32_t value) {         \
        asm volatile(instruction ".u32 [%0], %1;" ::"l"(global(to)), "r"(value) : "memory"); \
    }                                                                                        \
    PEERPROOF_DEVICE_ONLY inline void name(std::uint64_t* to, std::uint64_t value) {         \
        asm volatile(instruction ".u64 [%0], %1;" ::"l"(global(to)), "l"(value) : "memory"); \
    }

PEERPROOF_LOADS(load_plain, "ld.global")
PEERPROOF_LOADS(load_volatile, "ld.volatile.global")
PEERPROOF_LOADS(load_cached, "ld.global.ca")
PEERPROOF_LOADS(load_read_only, "ld.global.nc")

PEERPROOF_DEVICE_ONLY inline void store_plain(std::uint8_t* to, std::uint8_t value) {
    asm volatile("st.global.u8 [%0], %1;" ::"l"(global(to)), "h"(std::uint16_t{value}) : "memory");
}
PEERPROOF_DEVICE_ONLY inline void store_plain(std::uint16_t* to, std::uint16_t value) {
    asm volatile("st.global.u16 [%0], %1;" ::"l"(global(to)), "h"(value) : "memory");
}
PEERPROOF_WORD_STORES(store_plain, "st.global")
PEERPROOF_DEVICE_ONLY inline void store_plain(Vector* to, const Vector& value) {
    asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(global(to)), "l"(value.words[0]),
                 "l"(value.words[1])
                 : "memory");
}

PEERPROOF_WORD_LOADS(load_data, "ld.relaxed.sys.global")
PEERPROOF_WORD_LOADS(load_flag, "ld.acquire.sys.global")
PEERPROOF_WORD_LOADS(poll_flag, "ld.relaxed.sys.global")
PEERPROOF_WORD_STORES(store_data, "st.relaxed.sys.global")
PEERPROOF_WORD_STORES(store_flag, "st.release.sys.global")
PEERPROOF_WORD_STORES(raise_flag, "st.relaxed.sys.global")
#undef PEERPROOF_LOADS
#undef PEERPROOF_WORD_LOADS
#undef PEERPROOF_WORD_STORES

PEERPROOF_DEVICE_ONLY inline void fence_system() { __threadfence_system(); }

}  // namespace peerproof::kernels
#endif
