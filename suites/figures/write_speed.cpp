// Write speed: a kernel on the source streams its own memory into that of the destination.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct WriteSpeed : TransferFigure {};

TEST_P(WriteSpeed, IsMeasured) { EXPECT_TRUE(one_way(Actor::source, PeerAccess::ask, by_kernel_store)); }

PEERPROOF_CLAIM_PER_PAIR(Figure, WriteSpeed, IsMeasured,
                         {.number = 43,
                          .title = "Bandwidth of A's stores into B's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
