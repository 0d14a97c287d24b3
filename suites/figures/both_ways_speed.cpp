// Both ways at once, with peer access: staged roads meet in host memory, direct ones need not meet at all.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct BothWaysSpeed : TransferFigure {};

TEST_P(BothWaysSpeed, IsMeasured) { EXPECT_TRUE(both_ways(Actor::source, PeerAccess::ask, by_copy)); }

PEERPROOF_CLAIM(Figure, BothWaysSpeed, IsMeasured, each_two,
                {.number = 32,
                 .title = "Bidirectional bandwidth of copies",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::delivered, Outcome::refused, Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
