// Write bandwidth: a kernel on the source streams its own memory into that of the destination.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct WriteBandwidth : TransferMeasurement {};

TEST_P(WriteBandwidth, IsMeasured) { EXPECT_TRUE(one_way(Actor::source, PeerAccess::ask, by_kernel_store)); }

PEERPROOF_CLAIM_PER_PAIR(Measurement, WriteBandwidth, IsMeasured,
                         {.number = 43,
                          .title = "Bandwidth of A's stores into B's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
