#include "kernels/replay.hpp"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {

PEERPROOF_KERNEL void next_round(std::uint64_t* round) {
    if (first_of_grid() == 0) ++*round;
}

PEERPROOF_KERNEL void fill_round(std::uint64_t* words, std::uint64_t count, std::uint64_t stamp,
                                 const std::uint64_t* round) {
    const std::uint64_t first = *round * count;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid())
        words[i] = word_of(stamp, first + i);
}

PEERPROOF_KERNEL void compare_round(const std::uint64_t* words, std::uint64_t count, std::uint64_t acts,
                                    std::uint64_t stamp, std::uint64_t poison, const std::uint64_t* round,
                                    std::uint64_t limit, RoundLook* looks) {
    const volatile std::uint64_t* memory = words;
    const std::uint64_t now = *round;
    if (now >= limit) return;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid()) {
        RoundLook& look = looks[now * acts + i / (count / acts)];
        const std::uint64_t place = now * count + i, found = memory[i];
        atomicAdd(&look.compared, 1ull);
        if (found == word_of(stamp, place)) continue;
        atomicAdd(&look.wrong, 1ull);
        if (found == word_of(poison, place)) atomicAdd(&look.poison, 1ull);
        if (atomicCAS(&look.index, ~0ull, static_cast<unsigned long long>(i)) == ~0ull) look.found = found;
    }
}

PEERPROOF_SIMULATE(next_round)
PEERPROOF_SIMULATE(fill_round)
PEERPROOF_SIMULATE(compare_round)

}  // namespace peerproof::kernels
