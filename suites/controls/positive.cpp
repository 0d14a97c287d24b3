// Positive control: a kernel on the card's own memory delivers. A ruler that finds nothing here would find
// nothing anywhere, and would call every bench closed.
#include "fixtures/card_check.hpp"

namespace peerproof {

struct Positive : CardCheck {};

TEST_P(Positive, Delivers) { EXPECT_TRUE(deliver_on_the_card()); }

PEERPROOF_CLAIM_PER_GPU(Control, Positive, Delivers,
                        {.number = 3,
                         .title = "Kernel on the GPU's own memory",
                         .open = {Outcome::delivered},
                         .failure = Failure::decides});

}  // namespace peerproof
