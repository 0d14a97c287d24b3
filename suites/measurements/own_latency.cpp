// Own latency: a load of the GPU's own memory. A peer's memory that answers as fast is not a peer's.
#include "fixtures/latency_measurement.hpp"

namespace peerproof {

struct OwnLatency : LatencyMeasurement {};

TEST_P(OwnLatency, IsMeasured) { EXPECT_TRUE(loads_of(GetParam().source(), GetParam().source())); }

PEERPROOF_CLAIM_PER_GPU(Measurement, OwnLatency, IsMeasured,
                        {.number = 37,
                         .title = "Latency of the GPU's own memory",
                         .open = {Outcome::delivered},
                         .failure = Failure::is_information});

}  // namespace peerproof
