// Rounds: what every pair does alone, what each two GPUs do both ways at once and what all do at once, over and over until
// a time is over. What ages, gets hot or fails once in thousands of operations is right in one look.
#include "fixtures/traffic/soak_check.hpp"

namespace peerproof {

struct Rounds : SoakCheck {};

TEST_P(Rounds, DeliverUntilTheEnd) { EXPECT_TRUE(until_the_time_is_over()); }

PEERPROOF_CLAIM(Soak, Rounds, DeliverUntilTheEnd, the_bench,
                {.number = 91,
                 .title = "Every pair delivers until the time is over",
                 .open = {Outcome::delivered, Outcome::not_applicable},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
