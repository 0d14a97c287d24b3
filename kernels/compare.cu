#include "kernels/compare.hpp"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {
namespace {

struct alignas(16) Vector {
    std::uint64_t words[2];
};
constexpr int in_flight = 4;

struct Expected {
    std::uint64_t stamp, poison, first_place;
};

// Rare on a good road, so it may be slow.
PEERPROOF_DEVICE_ONLY inline void note(std::uint64_t found, std::size_t i, const Expected& all,
                                       Comparison* result) {
    const std::uint64_t place = all.first_place + i;
    const std::uint64_t expected = word_of(all.stamp, place);
    if (found == expected) return;
    atomicAdd(&result->mismatched, 1ull);
    atomicMin(&result->first, static_cast<unsigned long long>(place));
    if (found == word_of(all.poison, place)) atomicAdd(&result->poison, 1ull);
    if (found == 0) atomicAdd(&result->zeros, 1ull);
    if (found == ~std::uint64_t{0}) atomicAdd(&result->ones, 1ull);
    atomicAdd(&result->wrong_bits, static_cast<unsigned long long>(__popcll(found ^ expected)));
}

}  // namespace

// The owner's caches are coherent with what its card stored; what another card or a copy brought is seen from
// the launch of this kernel on.
PEERPROOF_KERNEL void compare(const std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                              std::uint64_t poison, std::uint64_t first_place, Comparison* result) {
    const Expected all{stamp, poison, first_place};
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
            note(held[k].words[0], 2 * i, all, result);
            note(held[k].words[1], 2 * i + 1, all, result);
            compared += 2;
        }
    }
    for (std::size_t i = 2 * vectors + first_of_grid(); i < count; i += stride) {
        note(words[i], i, all, result);
        ++compared;
    }
    add_of_all(&result->compared, compared);
}

PEERPROOF_SIMULATE(compare)

}  // namespace peerproof::kernels
