// Ring: what each GPU has goes round all of them in both directions at once, each passing on what it got, as the all-gather
// of collectives does. A byte that is wrong once is wrong everywhere behind.
#include "fixtures/traffic/crowd_check.hpp"

namespace peerproof {

struct Ring : CrowdCheck {};

TEST_P(Ring, Delivers) { EXPECT_TRUE(around_the_ring()); }

PEERPROOF_CLAIM(Crowd, Ring, Delivers, the_bench,
                {.number = 83,
                 .title = "What each GPU has goes round all of them",
                 .open = {Outcome::delivered, Outcome::not_applicable},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
