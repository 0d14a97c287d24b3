// A kernel on the actor moves bytes between a peer's memory and its own, by accesses of one width and kind, in one
// pattern. Byte i always becomes byte i: what differs is who moves it, and in what company.
//
//   load_widths<<<...>>>(own, peer, bytes, {width, kind, pattern});    // loads the peer's, stores into its own
//   store_widths<<<...>>>(peer, own, bytes, {width, kind, pattern});   // loads its own, stores into the peer's
//
// Both addresses are multiples of 16. `bytes` is 16 times a power of two. The kind is that of the loads from the
// peer; stores and accesses to the actor's own memory are plain ones.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

enum class LoadKind : std::uint32_t { plain, volatile_, cached, read_only };
enum class Pattern : std::uint32_t {
    straight,   // neighbouring threads, neighbouring elements
    strided,    // neighbouring threads are 33 elements apart
    scattered,  // no two neighbouring threads in one line
    ragged,     // a thread moves 61 bytes that begin anywhere: single bytes up to the first whole element,
                // elements, and the bytes that are left
};

inline constexpr std::uint64_t stride_elements = 33, ragged_bytes = 61;

struct Access {
    std::uint32_t width;  // bytes: 1, 2, 4, 8, 16
    LoadKind kind;
    Pattern pattern;
};

PEERPROOF_KERNEL void load_widths(std::uint64_t* own, const std::uint64_t* peer, std::uint64_t bytes,
                                  Access access);
PEERPROOF_KERNEL void store_widths(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t bytes,
                                   Access access);

}  // namespace peerproof::kernels
