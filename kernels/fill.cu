#include "kernels/fill.hpp"
#include "kernels/stamp_word.hpp"
#include "kernels/vector.cuh"

namespace peerproof::kernels {

PEERPROOF_KERNEL void fill(std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                           std::uint64_t first_place) {
    // By twos where that is possible: a GPU's memory is as fast as its stores are wide.
    const bool aligned = reinterpret_cast<std::uintptr_t>(words) % sizeof(Vector) == 0;
    const std::size_t vectors = aligned ? count / 2 : 0;
    auto* wide = reinterpret_cast<Vector*>(words);
    for (std::size_t i = first_of_grid(); i < vectors; i += size_of_grid())
        wide[i] = {{word_of(stamp, first_place + 2 * i), word_of(stamp, first_place + 2 * i + 1)}};
    for (std::size_t i = 2 * vectors + first_of_grid(); i < count; i += size_of_grid())
        words[i] = word_of(stamp, first_place + i);
}

PEERPROOF_SIMULATE(fill)

}  // namespace peerproof::kernels
