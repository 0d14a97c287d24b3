// Both ways at once by kernels that load: each card streams the memory of the other into its own.
// A road may carry copies both ways and mix up what kernels ask for.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct BothWaysReadSpeed : TransferFigure {};

TEST_P(BothWaysReadSpeed, IsMeasured) {
    EXPECT_TRUE(both_ways(Actor::destination, PeerAccess::ask, by_kernel_load));
}

PEERPROOF_CLAIM(Figure, BothWaysReadSpeed, IsMeasured, each_two,
                {.number = 31,
                 .title = "Bidirectional bandwidth of loads",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
