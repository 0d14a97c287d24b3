// Positive control: a kernel on the GPU's own memory delivers. A suite that finds nothing here would find
// nothing anywhere, and would call every bench closed.
#include "fixtures/gpu_check.hpp"

namespace peerproof {

struct Positive : GpuCheck {};

TEST_P(Positive, Delivers) { EXPECT_TRUE(deliver_on_the_gpu()); }

PEERPROOF_CLAIM_PER_GPU(Control, Positive, Delivers,
                        {.number = 3,
                         .title = "Kernel on the GPU's own memory",
                         .open = {Outcome::delivered},
                         .failure = Failure::decides});

}  // namespace peerproof
