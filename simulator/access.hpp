// What single accesses of a kernel do on a simulated GPU: loads and stores by kind and width, data and flags
// between GPUs, atomics of system scope.
//
//   const std::uint16_t found = load_cached(pointer);
//   store_data(word, value), fence_system(), store_flag(flag, 1u);
//
// kernels/access.cuh and device.hpp call these. They find by its address whose memory is accessed, and do what
// the bench says of such accesses to it (README.md: [[access]], [[atomic]], `order`). A GPU's accesses to its
// own memory, and all of them where the bench says nothing, are the processor's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simulator/atomic_deeds.hpp"

namespace peerproof::simulated {

struct Bench;

// Once, by the process that is that GPU. In any other program accesses are the processor's.
void begin_accesses(const Bench&, int gpu);
// When a kernel has ended: data that is seen no earlier is stored now.
void end_of_kernel_accesses();

enum class LoadKind : std::uint8_t { plain, cached, read_only };

inline bool accesses_differ = false;  // the bench says something of this GPU's

// What the bench makes of them, where it says something.
void load_by_rules(LoadKind, const void* from, void* into, std::size_t bytes);
void store_by_rules(void* to, const void* from, std::size_t bytes);
std::uint64_t load_data_by_rules(const void* from, std::size_t bytes);
void store_data_by_rules(void* to, std::uint64_t value, std::size_t bytes);
AtomicDeed atomic_deed(const void* place, AtomicOperation, std::size_t bytes);  // of the next one; counts it
void pause_within_atomic();                                                     // others go on

// Whole, as one instruction does it; 16 bytes in two halves, as nothing is promised of them.
template <class T>
T load_once(const T* from) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    if constexpr (sizeof(T) <= 8) {
        __atomic_load(from, &value, __ATOMIC_RELAXED);
    } else {
        static_assert(sizeof(T) == 16);
        using Half [[gnu::may_alias]] = std::uint64_t;
        const auto* halves = reinterpret_cast<const Half*>(from);
        const std::uint64_t found[2] = {__atomic_load_n(&halves[0], __ATOMIC_RELAXED),
                                        __atomic_load_n(&halves[1], __ATOMIC_RELAXED)};
        std::memcpy(&value, found, sizeof value);
    }
    return value;
}

template <class T>
T load_as(LoadKind kind, const T* from) {
    if (!accesses_differ) return load_once(from);
    T value;
    load_by_rules(kind, from, &value, sizeof value);
    return value;
}

template <class T>
T load_plain(const T* from) {
    return load_as(LoadKind::plain, from);
}
template <class T>
T load_volatile(const T* from) {
    return load_as(LoadKind::plain, from);
}
template <class T>
T load_cached(const T* from) {
    return load_as(LoadKind::cached, from);
}
template <class T>
T load_read_only(const T* from) {
    return load_as(LoadKind::read_only, from);
}

template <class T>
void store_plain(T* to, std::type_identity_t<T> value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (accesses_differ)
        store_by_rules(to, &value, sizeof value);
    else
        *to = value;
}

// Data is loaded and stored relaxed; a flag is loaded with acquire and stored with release.
template <class T>
T load_data(const T* from) {
    if (accesses_differ) return static_cast<T>(load_data_by_rules(from, sizeof *from));
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}
template <class T>
void store_data(T* to, std::type_identity_t<T> value) {
    if (accesses_differ)
        store_data_by_rules(to, value, sizeof value);
    else
        __atomic_store_n(to, value, __ATOMIC_RELAXED);
}
template <class T>
T load_flag(const T* from) {
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}
template <class T>
void store_flag(T* to, std::type_identity_t<T> value) {
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}
inline void fence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// Makes change(found, mask) of the word, and answers what was found. Only the bits of the mask are there and
// count: all of them, or those of a half.
template <class T, class Change>
T change_once(T* place, Change change) {
    constexpr T all = static_cast<T>(~T{});
    T found = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(place, &found, change(found, all), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {}
    return found;
}

// Each half is changed by an atomic of its own, without a carry from one to the other.
template <class T, class Change>
T change_halves(T* place, Change change) {
    using Half [[gnu::may_alias]] = std::conditional_t<sizeof(T) == 8, std::uint32_t, std::uint16_t>;
    using Whole = std::make_unsigned_t<T>;
    auto* halves = reinterpret_cast<Half*>(place);
    Whole all_found = 0;
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned shift = i * 8 * sizeof(Half);
        const auto mask = static_cast<T>(Whole{static_cast<Half>(~Half{})} << shift);
        const auto changed = [&](Half found) {
            const auto whole = static_cast<T>(Whole{found} << shift);
            return static_cast<Half>(static_cast<Whole>(change(whole, mask)) >> shift);
        };
        Half found = __atomic_load_n(&halves[i], __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(&halves[i], &found, changed(found), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST)) {}
        all_found |= Whole{found} << shift;
        if (i == 0) pause_within_atomic();
    }
    return static_cast<T>(all_found);
}

template <class T, class Change>
T atomically(AtomicOperation operation, T* place, Change change) {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    if (!accesses_differ) return change_once(place, change);
    switch (atomic_deed(place, operation, sizeof(T))) {
        case AtomicDeed::as_written:
            break;
        case AtomicDeed::lost:
            return __atomic_load_n(place, __ATOMIC_SEQ_CST);
        case AtomicDeed::twice: {
            const T found = change_once(place, change);
            change_once(place, change);
            return found;
        }
        case AtomicDeed::torn:
            return change_halves(place, change);
        case AtomicDeed::not_atomic: {
            const T found = __atomic_load_n(place, __ATOMIC_SEQ_CST);
            pause_within_atomic();
            __atomic_store_n(place, change(found, static_cast<T>(~T{})), __ATOMIC_SEQ_CST);
            return found;
        }
    }
    return change_once(place, change);
}

}  // namespace peerproof::simulated
