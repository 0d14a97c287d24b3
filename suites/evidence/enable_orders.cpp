// Enable orders: peer access is switched on in either order, on one side only, twice, and off and on again, and the
// access right after each switch is what the switch says. Software enables when it needs to, in the order in which it
// happens to come there: the core checks enable both sides once, always in the same order, and never disable.
#include "fixtures/enable_orders.hpp"

namespace peerproof {

struct EnableOrders : EnableOrdersCheck {};

TEST_P(EnableOrders, AreWhatTheySay) { EXPECT_TRUE(in_every_order()); }

PEERPROOF_CLAIM(Evidence, EnableOrders, AreWhatTheySay, each_two,
                {.number = 20,
                 .title = "P2P on and off in every order",
                 .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                 .locked = {Outcome::refused, Outcome::illegal_address, Outcome::not_applicable},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
