// Read latency: a kernel on the destination follows a chain that the source's owner wove into its memory,
// each load waiting for the one before.
#include "fixtures/latency_measurement.hpp"

namespace peerproof {

struct ReadLatency : LatencyMeasurement {};

TEST_P(ReadLatency, IsMeasured) { EXPECT_TRUE(loads_of(GetParam().source(), GetParam().destination())); }

PEERPROOF_CLAIM_PER_PAIR(Measurement, ReadLatency, IsMeasured,
                         {.number = 40,
                          .title = "Latency of B's loads of A's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
