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

}  // namespace peerproof
