// Recovery control: after a process that met an illegal address, the next process on the same GPU is
// healthy. Were it not, one closed pair would fail every check that follows it.
#include "fixtures/gpu_check.hpp"

namespace peerproof {

struct Recovery : GpuCheck {};

TEST_P(Recovery, Delivers) { EXPECT_TRUE(deliver_on_the_gpu()); }

PEERPROOF_CLAIM_PER_GPU(Control, Recovery, Delivers,
                        {.number = 4,
                         .title = "The process after an illegal address",
                         .open = {Outcome::delivered},
                         .after = "fault",
                         .failure = Failure::decides});

}  // namespace peerproof
