// Still there: when everything else has run, the card answers to its UUID, and a kernel on its own memory
// delivers as it did at the beginning. A card that fell off the bus, or is sick, may have made what came
// before say anything.
#include "fixtures/card_check.hpp"

namespace peerproof {

struct StillThere : CardCheck {};

TEST_P(StillThere, Delivers) { EXPECT_TRUE(deliver_on_the_card()); }

PEERPROOF_CLAIM_PER_GPU(Closing, StillThere, Delivers,
                        {.number = 71,
                         .title = "The GPU at the end of the session",
                         .open = {Outcome::delivered},
                         .failure = Failure::decides});

}  // namespace peerproof
