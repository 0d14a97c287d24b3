#include "kernels/fill.hpp"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void fill(std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                           std::uint64_t first_place) {
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
        words[i] = word_of(stamp, first_place + i);
}

PEERPROOF_SIMULATE(fill)

}  // namespace peerproof::kernels
