// Ping-pong: each GPU waits in its own memory for the value that the other stores there. A store is issued
// at once and may arrive whenever; here it must have been seen before anything goes on.
#include "fixtures/latency_measurement.hpp"

namespace peerproof {

struct PingPong : LatencyMeasurement {};

TEST_P(PingPong, IsMeasured) { EXPECT_TRUE(ping_pong()); }

PEERPROOF_CLAIM(Measurement, PingPong, IsMeasured, each_two,
                {.number = 39,
                 .title = "Latency of a store that the peer has seen",
                 .open = {Outcome::delivered},
                 .locked = {Outcome::illegal_address},
                 .failure = Failure::makes_suspect});

}  // namespace peerproof
