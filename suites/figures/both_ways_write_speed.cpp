// Both ways at once by kernels that store: each card streams its own memory into the other.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct BothWaysWriteSpeed : TransferFigure {};

TEST_P(BothWaysWriteSpeed, IsMeasured) {
    EXPECT_TRUE(both_ways(Actor::source, PeerAccess::ask, by_kernel_store));
}

PEERPROOF_CLAIM(Figure, BothWaysWriteSpeed, IsMeasured, each_two,
                {.number = 34,
                 .title = "Bidirectional bandwidth of stores",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
