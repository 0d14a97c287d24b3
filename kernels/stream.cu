#include "kernels/stream.hpp"
#include "kernels/vector.cuh"

namespace peerproof::kernels {
namespace {

PEERPROOF_DEVICE_ONLY inline void stream(Vector* to, const Vector* from, std::size_t vectors) {
    const std::size_t stride = size_of_grid();
    for (std::size_t first = first_of_grid(); first < vectors; first += in_flight * stride) {
        Vector held[in_flight];
        for (int i = 0; i < in_flight; ++i) {
            if (first + i * stride < vectors) held[i] = from[first + i * stride];
        }
        for (int i = 0; i < in_flight; ++i) {
            if (first + i * stride < vectors) to[first + i * stride] = held[i];
        }
    }
}

}  // namespace

PEERPROOF_KERNEL void stream_load(std::uint64_t* own, const std::uint64_t* peer, std::uint64_t words) {
    stream(reinterpret_cast<Vector*>(own), reinterpret_cast<const Vector*>(peer), words / 2);
}

PEERPROOF_KERNEL void stream_store(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t words) {
    stream(reinterpret_cast<Vector*>(peer), reinterpret_cast<const Vector*>(own), words / 2);
}

PEERPROOF_SIMULATE(stream_load)
PEERPROOF_SIMULATE(stream_store)

}  // namespace peerproof::kernels
