// Bidirectional at once by kernels that load: each GPU streams the memory of the other into its own.
// A path may carry copies in both directions and mix up what kernels ask for.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct BidirectionalReadBandwidth : TransferMeasurement {};

TEST_P(BidirectionalReadBandwidth, IsMeasured) {
    EXPECT_TRUE(bidirectional(Actor::destination, PeerAccess::ask, by_kernel_load));
}

PEERPROOF_CLAIM(Measurement, BidirectionalReadBandwidth, IsMeasured, each_two,
                {.number = 31,
                 .title = "Bidirectional bandwidth of loads",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
