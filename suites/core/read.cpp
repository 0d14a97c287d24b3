// Read: a kernel on the destination loads the memory of the source, and what it loads is what the source's
// owner wrote last. No copy engine and no host memory can stand in for that load.
#include "fixtures/launch.hpp"
#include "fixtures/pair_check.hpp"
#include "kernels/load_peer.hpp"

namespace peerproof {

struct Read : PairCheck {};

TEST_P(Read, Arrives) {
    EXPECT_TRUE(transfer({.behind = Behind::source}, [](const Move& move) {
        return launch_on(move.destination, kernels::load_peer, move.words, move.to, move.from, move.words,
                         move.places);
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Core, Read, Arrives,
                         {.number = 12,
                          .title = "Kernel on B reads A's memory",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::illegal_address},
                          .failure = Failure::decides});

}  // namespace peerproof
