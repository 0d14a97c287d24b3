// Write: a kernel on the source stores into the memory of the destination, and the destination's owner finds
// it there. That the writer can read it back through its window proves nothing, and is recorded when the
// owner does not find it.
#include "fixtures/pair_check.hpp"
#include "fixtures/peer_kernels.hpp"

namespace peerproof {

struct Write : PairCheck {};

TEST_P(Write, Arrives) {
    EXPECT_TRUE(transfer({.behind = Behind::destination, .writer_reads_back = true}, store_by_source));
}

PEERPROOF_CLAIM_PER_PAIR(Core, Write, Arrives,
                         {.number = 13,
                          .title = "Kernel on A writes B's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::decides});
PEERPROOF_CLAIM_PER_PAIR(Again, Write, Arrives,
                         {.number = 16,
                          .title = "Kernel on A writes B's memory, asked again at the end",
                          .open = {Outcome::delivered, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
