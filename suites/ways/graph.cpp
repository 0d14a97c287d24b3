// Graph: a kernel of the destination that loads, a kernel of the source that stores and a copy are captured once, on
// streams of both GPUs, and replayed 200 times. The values change from replay to replay through memory, and the owner
// compares every word within each. Frameworks replay what they captured, and a driver may do then what it does not do
// for the same calls made one by one.
#include "fixtures/ways/graph_check.hpp"
#include "session/format.hpp"

namespace peerproof {

struct Graph : GraphCheck {};

TEST_P(Graph, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::ask, [&] {
        if (!replay()) return;
        judge();
        if (record().outcome == Outcome::delivered)
            conclude(Outcome::delivered,
                     format("load, store and copy, captured once and replayed {} times: the owner found "
                            "the values of each",
                            replays));
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Graph, Delivers,
                         {.number = 54,
                          .title = "Load, store and copy replayed by a graph",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
