// Read bandwidth: a kernel on the destination streams the memory of the source into its own. No staging can stand
// in for it.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct ReadBandwidth : TransferMeasurement {};

TEST_P(ReadBandwidth, IsMeasured) {
    EXPECT_TRUE(one_way(Actor::destination, PeerAccess::ask, by_kernel_load));
}

PEERPROOF_CLAIM_PER_PAIR(Measurement, ReadBandwidth, IsMeasured,
                         {.number = 41,
                          .title = "Bandwidth of B's loads of A's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
