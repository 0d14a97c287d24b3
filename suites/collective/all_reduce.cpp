// All-reduce, fail-closed: NCCL may take the peers' memory and nothing else, and its log must say of every
// edge that it did. All GPUs together complete one all-reduce, and every element of it is right.
#include "fixtures/nccl/collective_check.hpp"

namespace peerproof {

struct AllReduce : CollectiveCheck {};

TEST_P(AllReduce, Holds) { EXPECT_TRUE(sum_over(Paths::p2p_only)); }

PEERPROOF_CLAIM(Collective, AllReduce, Holds, each_two_and_bench,
                {.number = 61,
                 .title = "All-reduce over P2P only",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::refused, Outcome::illegal_address},
                 .after = "all_reduce_without_p2p",
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
