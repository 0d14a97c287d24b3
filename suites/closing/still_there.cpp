// Still there: when everything else has run, the GPU answers to its UUID, and a kernel on its own memory
// delivers as it did at the beginning. A GPU that fell off the bus, or is sick, may have made what came
// before say anything.
#include "fixtures/gpu_check.hpp"

namespace peerproof {

struct StillThere : GpuCheck {};

TEST_P(StillThere, Delivers) { EXPECT_TRUE(deliver_on_the_gpu()); }

PEERPROOF_CLAIM_PER_GPU(Closing, StillThere, Delivers,
                        {.number = 71,
                         .title = "The GPU at the end of the session",
                         .open = {Outcome::delivered},
                         .failure = Failure::decides});

}  // namespace peerproof
