#include "kernels/access.cuh"
#include "kernels/widths.hpp"

namespace peerproof::kernels {
namespace {

template <class T>
PEERPROOF_DEVICE_ONLY inline T load_by(LoadKind kind, const T* from) {
    switch (kind) {
        case LoadKind::volatile_:
            return load_volatile(from);
        case LoadKind::cached:
            return load_cached(from);
        case LoadKind::read_only:
            return load_read_only(from);
        default:
            return load_plain(from);
    }
}

// The element that item `i` of a power of two of them is: every element once.
PEERPROOF_DEVICE_ONLY inline std::uint64_t element_of(std::uint64_t i, std::uint64_t elements,
                                                      Pattern pattern) {
    constexpr std::uint64_t far_apart = 0x9e3779b97f4a7c15;  // odd, as the stride is
    if (pattern == Pattern::strided) return (i * stride_elements) & (elements - 1);
    if (pattern == Pattern::scattered) return ((i ^ i >> 3) * far_apart) & (elements - 1);
    return i;
}

template <class T>
PEERPROOF_DEVICE_ONLY inline void move_elements(std::uint8_t* to, const std::uint8_t* from,
                                                std::uint64_t bytes, const Access& access) {
    auto* target = reinterpret_cast<T*>(to);
    const auto* source = reinterpret_cast<const T*>(from);
    const std::uint64_t elements = bytes / sizeof(T);
    for (std::size_t i = first_of_grid(); i < elements; i += size_of_grid()) {
        const std::uint64_t at = element_of(i, elements, access.pattern);
        store_plain(target + at, load_by(access.kind, source + at));
    }
}

template <class T>
PEERPROOF_DEVICE_ONLY inline void move_ragged(std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes,
                                              const Access& access) {
    for (std::uint64_t i = first_of_grid(); i * ragged_bytes < bytes; i += size_of_grid()) {
        std::uint64_t at = i * ragged_bytes;
        const std::uint64_t end = at + ragged_bytes < bytes ? at + ragged_bytes : bytes;
        for (; at < end && at % sizeof(T) != 0; ++at) store_plain(to + at, load_by(access.kind, from + at));
        for (; at + sizeof(T) <= end; at += sizeof(T))
            store_plain(reinterpret_cast<T*>(to + at),
                        load_by(access.kind, reinterpret_cast<const T*>(from + at)));
        for (; at < end; ++at) store_plain(to + at, load_by(access.kind, from + at));
    }
}

template <class T>
PEERPROOF_DEVICE_ONLY inline void move_as(std::uint64_t* to, const std::uint64_t* from, std::uint64_t bytes,
                                          const Access& access) {
    auto* target = reinterpret_cast<std::uint8_t*>(to);
    const auto* source = reinterpret_cast<const std::uint8_t*>(from);
    if (access.pattern == Pattern::ragged) return move_ragged<T>(target, source, bytes, access);
    move_elements<T>(target, source, bytes, access);
}

PEERPROOF_DEVICE_ONLY inline void move_by(std::uint64_t* to, const std::uint64_t* from, std::uint64_t bytes,
                                          const Access& access) {
    switch (access.width) {
        case 1:
            return move_as<std::uint8_t>(to, from, bytes, access);
        case 2:
            return move_as<std::uint16_t>(to, from, bytes, access);
        case 4:
            return move_as<std::uint32_t>(to, from, bytes, access);
        case 8:
            return move_as<std::uint64_t>(to, from, bytes, access);
        default:
            return move_as<Vector>(to, from, bytes, access);
    }
}

}  // namespace

PEERPROOF_KERNEL void load_widths(std::uint64_t* own, const std::uint64_t* peer, std::uint64_t bytes,
                                  Access access) {
    move_by(own, peer, bytes, access);
}

PEERPROOF_KERNEL void store_widths(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t bytes,
                                   Access access) {
    access.kind = LoadKind::plain;
    move_by(peer, own, bytes, access);
}

PEERPROOF_SIMULATE(load_widths)
PEERPROOF_SIMULATE(store_widths)

}  // namespace peerproof::kernels
