// Both directions at once, with peer access: staged paths meet in host memory, direct ones need not meet at all.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct BidirectionalCopyBandwidth : TransferMeasurement {};

TEST_P(BidirectionalCopyBandwidth, IsMeasured) {
    EXPECT_TRUE(bidirectional(Actor::source, PeerAccess::ask, by_copy));
}

PEERPROOF_CLAIM(Measurement, BidirectionalCopyBandwidth, IsMeasured, each_two,
                {.number = 32,
                 .title = "Bidirectional bandwidth of copies",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::delivered, Outcome::refused, Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
