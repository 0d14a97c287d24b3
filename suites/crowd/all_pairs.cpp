// All pairs: every directed pair of the bench loads, stores and copies at the same time, and every owner finds every byte.
// A path that carries alone what it is asked for may mix up, drop or delay it where a switch or a root complex is full.
#include "fixtures/traffic/crowd_check.hpp"

namespace peerproof {

struct AllPairs : CrowdCheck {};

TEST_P(AllPairs, DeliverAtOnce) { EXPECT_TRUE(all_at_once()); }

PEERPROOF_CLAIM(Crowd, AllPairs, DeliverAtOnce, the_bench,
                {.number = 81,
                 .title = "Every pair loads, stores and copies at once",
                 .open = {Outcome::delivered, Outcome::not_applicable},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
