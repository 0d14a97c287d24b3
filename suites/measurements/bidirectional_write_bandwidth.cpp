// Bidirectional at once by kernels that store: each GPU streams its own memory into the other.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct BidirectionalWriteBandwidth : TransferMeasurement {};

TEST_P(BidirectionalWriteBandwidth, IsMeasured) {
    EXPECT_TRUE(bidirectional(Actor::source, PeerAccess::ask, by_kernel_store));
}

PEERPROOF_CLAIM(Measurement, BidirectionalWriteBandwidth, IsMeasured, each_two,
                {.number = 34,
                 .title = "Bidirectional bandwidth of stores",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
