// All to all: each GPU sends to the first, the second, ... GPU after it, all of them at the same time, by loads, stores and
// copies, as expert parallelism does. What has come stands until the end.
#include "fixtures/traffic/crowd_check.hpp"

namespace peerproof {

struct AllToAll : CrowdCheck {};

TEST_P(AllToAll, Delivers) { EXPECT_TRUE(all_to_all()); }

PEERPROOF_CLAIM(Crowd, AllToAll, Delivers, the_bench,
                {.number = 82,
                 .title = "Each GPU sends to each, all at the same time",
                 .open = {Outcome::delivered, Outcome::not_applicable},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
