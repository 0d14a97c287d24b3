// Order: what one GPU does before a fence or a release, the other sees before what comes after it. Kernels of both
// GPUs run at the same time and show it slot by slot: messages (data, then a flag that says it is there) in either
// memory and at different distances, and stores and loads that cross. All-reduces, queues and barriers over a peer's
// memory stand on this, and a flag that overtakes its data corrupts them without a word.
#include "fixtures/ways/order_check.hpp"
#include "session/format.hpp"

namespace peerproof {
using kernels::Shape;

struct Order : OrderCheck {};

TEST_P(Order, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::ask, [&] {
        pass_messages();
        cross(Shape::store_buffering, "store buffering");
        cross(Shape::load_buffering, "load buffering");
        if (record().outcome == Outcome::delivered)
            conclude(Outcome::delivered, format("message passing, store buffering and load buffering, {} "
                                                "slots: no outcome that may not be",
                                                slots_tried()));
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Order, Delivers,
                         {.number = 56,
                          .title = "Order of A's stores as B sees them",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
