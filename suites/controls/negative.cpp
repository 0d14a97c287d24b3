// Negative control: what differs must compare as different, by the comparison that every check uses. First a
// block of which every word differs, then one of which the last word alone does.
#include "fixtures/gpu_check.hpp"

namespace peerproof {

struct Negative : GpuCheck {};

TEST_P(Negative, IsRefuted) {
    EXPECT_TRUE(observe([&] {
        OwnedMemory memory(ordinal(), block_words);
        const Expected expected{stamp(1, Role::value), stamp(1, Role::poison)};
        const Stamp decoy = stamp(1, Role::decoy);
        const std::vector<Span> block{{0, block_words}}, last_word{{block_words - 1, 1}};
        const auto refuted = [&](const char* name, std::uint64_t differing) {
            Step step = diagnose(memory.look(expected.stamp, expected.poison, block), expected);
            step.name = name;
            note_step(step);
            return step.mismatched_words == differing && step.first_offset == (block_words - differing) * 8;
        };

        memory.fill(decoy, block);
        const bool all = refuted("every word differs", block_words);
        memory.fill(expected.stamp, block);
        memory.fill(decoy, last_word);
        const bool one = refuted("the last word differs", 1);
        if (all && one)
            conclude(Outcome::wrong, "what differs compared as different, to the last word");
        else
            conclude(Outcome::delivered,
                     "the comparison called a block equal that differs, or miscounted it");
    }));
}

PEERPROOF_CLAIM_PER_GPU(Control, Negative, IsRefuted,
                        {.number = 2,
                         .title = "What differs compares as different",
                         .open = {Outcome::wrong},
                         .failure = Failure::decides});

}  // namespace peerproof
