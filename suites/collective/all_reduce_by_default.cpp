// All-reduce as a user would run it, with NCCL's defaults: information. Which road NCCL takes here by itself,
// and whether the sum is right on it.
#include "fixtures/nccl/collective_check.hpp"

namespace peerproof {

struct AllReduceByDefault : CollectiveCheck {};

TEST_P(AllReduceByDefault, Holds) { EXPECT_TRUE(sum_over(Roads::by_default)); }

PEERPROOF_CLAIM(Collective, AllReduceByDefault, each_two_and_bench,
                {.open = {Outcome::delivered}, .after = "all_reduce", .gates = false});

}  // namespace peerproof
