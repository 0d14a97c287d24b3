// Both ways at once in a process where nobody enabled peer access.
#include "fixtures/transfer_figure.hpp"

namespace peerproof {

struct BothWaysStagedSpeed : TransferFigure {};

TEST_P(BothWaysStagedSpeed, IsMeasured) { EXPECT_TRUE(both_ways(Actor::source, PeerAccess::leave, by_copy)); }

PEERPROOF_CLAIM(Figure, BothWaysStagedSpeed, each_two, {.open = {Outcome::delivered}, .gates = false});

}  // namespace peerproof
