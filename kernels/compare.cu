#include "kernels/compare.hpp"
#include "kernels/note.cuh"
#include "kernels/vector.cuh"

namespace peerproof::kernels {

// The owner's caches are coherent with what its GPU stored; what another GPU or a copy brought is seen from
// the launch of this kernel on.
PEERPROOF_KERNEL void compare(const std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                              std::uint64_t poison, std::uint64_t first_place, Comparison* result) {
    const Wanted wanted{stamp, poison};
    const bool aligned = reinterpret_cast<std::uintptr_t>(words) % sizeof(Vector) == 0;
    const std::size_t vectors = aligned ? count / 2 : 0, stride = size_of_grid();
    const auto* wide = reinterpret_cast<const Vector*>(words);
    unsigned long long compared = 0;
    for (std::size_t first = first_of_grid(); first < vectors; first += in_flight * stride) {
        Vector held[in_flight];
        for (int k = 0; k < in_flight; ++k) {
            if (first + k * stride < vectors) held[k] = wide[first + k * stride];
        }
        for (int k = 0; k < in_flight; ++k) {
            const std::size_t i = first + k * stride;
            if (i >= vectors) continue;
            const std::uint64_t place = first_place + 2 * i;
            note(held[k].words[0], place, place, wanted, result);
            note(held[k].words[1], place + 1, place + 1, wanted, result);
            compared += 2;
        }
    }
    for (std::size_t i = 2 * vectors + first_of_grid(); i < count; i += stride) {
        note(words[i], first_place + i, first_place + i, wanted, result);
        ++compared;
    }
    add_of_all(&result->compared, compared);
}

PEERPROOF_SIMULATE(compare)

}  // namespace peerproof::kernels
