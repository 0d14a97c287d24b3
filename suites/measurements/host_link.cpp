// Host link: pinned host memory into the GPU and back, every byte verified at both ends. What a staged copy
// can be made of.
#include "fixtures/host_measurement.hpp"

namespace peerproof {

struct HostLink : HostMeasurement {};

TEST_P(HostLink, IsMeasured) { EXPECT_TRUE(both_directions()); }

PEERPROOF_CLAIM_PER_GPU(Measurement, HostLink, IsMeasured,
                        {.number = 36,
                         .title = "Bandwidth of the link to the host",
                         .open = {Outcome::delivered},
                         .failure = Failure::is_information});

}  // namespace peerproof
