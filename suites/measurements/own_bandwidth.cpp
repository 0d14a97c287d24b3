// Own bandwidth: the stream kernels on the GPU's own memory. What the kernels of the other measurements are capable
// of where no link is in their way.
#include "fixtures/host_measurement.hpp"

namespace peerproof {

struct OwnBandwidth : HostMeasurement {};

TEST_P(OwnBandwidth, IsMeasured) { EXPECT_TRUE(on_the_gpu()); }

PEERPROOF_CLAIM_PER_GPU(Measurement, OwnBandwidth, IsMeasured,
                        {.number = 38,
                         .title = "Bandwidth of the GPU's own memory",
                         .open = {Outcome::delivered},
                         .failure = Failure::is_information});

}  // namespace peerproof
