// Read speed: a kernel on the destination streams the memory of the source into its own. No staging can stand
// in for it.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct ReadSpeed : TransferFigure {};

TEST_P(ReadSpeed, IsMeasured) { EXPECT_TRUE(one_way(Actor::destination, PeerAccess::ask, by_kernel_load)); }

PEERPROOF_CLAIM_PER_PAIR(Figure, ReadSpeed, IsMeasured,
                         {.number = 41,
                          .title = "Bandwidth of B's loads of A's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
