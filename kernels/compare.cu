#include "kernels/compare.hpp"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void compare(const std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                              std::uint64_t poison, std::uint64_t first_place, Comparison* result) {
    const volatile std::uint64_t* memory = words;
    unsigned long long compared = 0;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid()) {
        const std::uint64_t found = memory[i];
        const std::uint64_t expected = word_of(stamp, first_place + i);
        ++compared;
        if (found == expected) continue;
        atomicAdd(&result->mismatched, 1ull);
        atomicMin(&result->first, static_cast<unsigned long long>(first_place + i));
        if (found == word_of(poison, first_place + i)) atomicAdd(&result->poison, 1ull);
        if (found == 0) atomicAdd(&result->zeros, 1ull);
        if (found == ~std::uint64_t{0}) atomicAdd(&result->ones, 1ull);
        atomicAdd(&result->wrong_bits, static_cast<unsigned long long>(__popcll(found ^ expected)));
    }
    if (compared != 0) atomicAdd(&result->compared, compared);
}

PEERPROOF_SIMULATE(compare)

}  // namespace peerproof::kernels
