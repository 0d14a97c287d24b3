// The control of the collective: the same all-reduce with P2P forbidden and shared memory allowed. Where even this
// does not hold, NCCL itself does not work here, and its other all-reduces say nothing about P2P.
#include "fixtures/nccl/collective_check.hpp"

namespace peerproof {

struct AllReduceWithoutP2p : CollectiveCheck {};

TEST_P(AllReduceWithoutP2p, Holds) { EXPECT_TRUE(sum_over(Paths::without_p2p)); }

PEERPROOF_CLAIM(Collective, AllReduceWithoutP2p, Holds, the_bench,
                {.number = 63,
                 .title = "All-reduce without P2P",
                 .open = {Outcome::delivered},
                 .failure = Failure::is_information});

}  // namespace peerproof
