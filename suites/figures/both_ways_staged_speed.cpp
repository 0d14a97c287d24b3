// Both ways at once in a process where nobody enabled peer access.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct BothWaysStagedSpeed : TransferFigure {};

TEST_P(BothWaysStagedSpeed, IsMeasured) { EXPECT_TRUE(both_ways(Actor::source, PeerAccess::leave, by_copy)); }

PEERPROOF_CLAIM(Figure, BothWaysStagedSpeed, IsMeasured, each_two,
                {.number = 33,
                 .title = "Bidirectional bandwidth of staged copies",
                 .open = {Outcome::delivered},
                 .failure = Failure::is_information});

}  // namespace peerproof
