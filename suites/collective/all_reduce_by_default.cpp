// All-reduce as a user would run it, with NCCL's defaults: information. Which path NCCL takes here by itself,
// and whether the all-reduce is right on it.
#include "fixtures/nccl/collective_check.hpp"

namespace peerproof {

struct AllReduceByDefault : CollectiveCheck {};

TEST_P(AllReduceByDefault, Holds) { EXPECT_TRUE(sum_over(Paths::by_default)); }

PEERPROOF_CLAIM(Collective, AllReduceByDefault, Holds, each_two_and_bench,
                {.number = 62,
                 .title = "All-reduce by NCCL's defaults",
                 .open = {Outcome::delivered},
                 .after = "all_reduce",
                 .failure = Failure::is_information});

}  // namespace peerproof
