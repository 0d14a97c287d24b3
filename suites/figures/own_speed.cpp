// Own speed: the stream kernels on the card's own memory. What the kernels of the other figures are capable
// of where no link is in their way.
#include "fixtures/host_figure.hpp"

namespace peerproof {

struct OwnSpeed : HostFigure {};

TEST_P(OwnSpeed, IsMeasured) { EXPECT_TRUE(on_the_card()); }

PEERPROOF_CLAIM_PER_GPU(Figure, OwnSpeed, IsMeasured,
                        {.number = 38,
                         .title = "Bandwidth of the GPU's own memory",
                         .open = {Outcome::delivered},
                         .failure = Failure::is_information});

}  // namespace peerproof
