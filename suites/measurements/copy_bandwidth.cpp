// Copy bandwidth: the copy API with peer access enabled. Beside the speed of a staged copy it says what bandwidth
// can tell of the path here; alone it says nothing of it.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct CopyBandwidth : TransferMeasurement {};

TEST_P(CopyBandwidth, IsMeasured) { EXPECT_TRUE(one_way(Actor::source, PeerAccess::ask, by_copy)); }

PEERPROOF_CLAIM_PER_PAIR(Measurement, CopyBandwidth, IsMeasured,
                         {.number = 35,
                          .title = "Bandwidth of copies from A to B",
                          .open = {Outcome::delivered},
                          .locked = {Outcome::delivered, Outcome::refused, Outcome::illegal_address},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
