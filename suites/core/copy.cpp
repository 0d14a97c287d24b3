// Copy: the copy API moves the bytes. Which path they took it does not say: on a locked bench the driver
// stages them through host memory and the copy still delivers, so a loud failure and a delivery both hold
// there.
#include "fixtures/pair_check.hpp"
#include "fixtures/peer_copy.hpp"

namespace peerproof {

struct Copy : PairCheck {};

TEST_P(Copy, Arrives) { EXPECT_TRUE(transfer({}, peer_copy)); }

PEERPROOF_CLAIM_PER_PAIR(Core, Copy, Arrives,
                         {.number = 11,
                          .title = "Copy from A to B",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::delivered, Outcome::refused, Outcome::illegal_address},
                          .failure = Failure::decides});
PEERPROOF_CLAIM_PER_PAIR(Again, Copy, Arrives,
                         {.number = 14,
                          .title = "Copy from A to B, asked again at the end",
                          .open = {Outcome::delivered, Outcome::not_applicable},
                          .locked = {Outcome::delivered, Outcome::refused, Outcome::illegal_address,
                                     Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
