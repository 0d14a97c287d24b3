// Read: a kernel on the destination loads the memory of the source, and what it loads is what the source's
// owner wrote last. No copy engine and no host memory can stand in for that load.
#include "fixtures/pair_check.hpp"
#include "fixtures/peer_kernels.hpp"

namespace peerproof {

struct Read : PairCheck {};

TEST_P(Read, Arrives) { EXPECT_TRUE(transfer({.behind = Behind::source}, load_by_destination)); }

PEERPROOF_CLAIM_PER_PAIR(Core, Read, Arrives,
                         {.number = 12,
                          .title = "Kernel on B reads A's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::decides});
PEERPROOF_CLAIM_PER_PAIR(Again, Read, Arrives,
                         {.number = 15,
                          .title = "Kernel on B reads A's memory, asked again at the end",
                          .open = {Outcome::delivered, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
