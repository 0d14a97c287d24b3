#include "kernels/terms.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void fill_terms(std::uint32_t* elements, std::uint64_t count, std::uint32_t seed,
                                 std::uint64_t ranks) {
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
        elements[i] = sum_of_terms(seed, ranks, i);
}

PEERPROOF_KERNEL void compare_terms(const std::uint32_t* elements, std::uint64_t count, std::uint32_t seed,
                                    std::uint64_t ranks, std::uint32_t poison_seed, TermComparison* result) {
    const volatile std::uint32_t* memory = elements;
    unsigned long long compared = 0;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid()) {
        const std::uint32_t found = memory[i];
        ++compared;
        if (found == sum_of_terms(seed, ranks, i)) continue;
        atomicAdd(&result->mismatched, 1ull);
        atomicMin(&result->first, static_cast<unsigned long long>(i));
        if (found == sum_of_terms(poison_seed, 1, i)) atomicAdd(&result->poison, 1ull);
        if (found == 0) atomicAdd(&result->zeros, 1ull);
    }
    add_of_all(&result->compared, compared);
}

PEERPROOF_SIMULATE(fill_terms)
PEERPROOF_SIMULATE(compare_terms)

}  // namespace peerproof::kernels
