// Atomic add: many threads of a kernel on the source add to each word of the destination's memory, and the
// destination's owner finds the exact sum. Software that counts, locks or reduces over a peer's memory stands on
// this, and stores that arrive do not show it. Where the driver reports no native atomics between the two, none
// are promised, and the check does not apply.
#include "fixtures/launch.hpp"
#include "fixtures/pair_check.hpp"
#include "kernels/kernel.cuh"

namespace peerproof {

namespace kernels {
PEERPROOF_KERNEL void add_peer(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t count,
                               std::uint64_t poison, std::uint64_t first_place, std::uint64_t adders);
}

struct AtomicAdd : PairCheck {};

TEST_P(AtomicAdd, Arrives) {
    const auto add = [](const Move& move) {
        const std::uint64_t adders = move.words == 1 ? 1024 : 4;
        return launch_on(move.source, kernels::add_peer, move.words * adders, move.to, move.from, move.words,
                         move.poison, move.first, adders);
    };
    EXPECT_TRUE(transfer({.behind = Behind::destination,
                          .steps = Steps::word_and_block,
                          .needs = Needs{cudaDevP2PAttrNativeAtomicSupported, "native atomics"}},
                         add));
}

PEERPROOF_CLAIM_PER_PAIR(Evidence, AtomicAdd, Arrives,
                         {.number = 22,
                          .title = "Kernel on A adds to B's memory",
                          .open = {Outcome::delivered, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
