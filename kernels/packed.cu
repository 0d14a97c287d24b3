#include "kernels/note.cuh"
#include "kernels/packed.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void fill_packed(std::uint64_t* words, const std::uint64_t* places, std::uint64_t count,
                                  std::uint64_t stamp) {
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
        words[i] = word_of(stamp, places[i]);
}

PEERPROOF_KERNEL void compare_packed(const std::uint64_t* words, const std::uint64_t* places,
                                     std::uint64_t count, std::uint64_t stamp, std::uint64_t poison,
                                     Comparison* result) {
    const Wanted wanted{stamp, poison};
    unsigned long long compared = 0;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid()) {
        note(words[i], places[i], i, wanted, result);
        ++compared;
    }
    add_of_all(&result->compared, compared);
}

PEERPROOF_SIMULATE(fill_packed)
PEERPROOF_SIMULATE(compare_packed)

}  // namespace peerproof::kernels
