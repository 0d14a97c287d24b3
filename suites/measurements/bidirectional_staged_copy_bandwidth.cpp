// Bidirectional at once in a process where nobody enabled peer access.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct BidirectionalStagedCopyBandwidth : TransferMeasurement {};

TEST_P(BidirectionalStagedCopyBandwidth, IsMeasured) {
    EXPECT_TRUE(bidirectional(Actor::source, PeerAccess::leave, by_copy));
}

PEERPROOF_CLAIM(Measurement, BidirectionalStagedCopyBandwidth, IsMeasured, each_two,
                {.number = 33,
                 .title = "Bidirectional bandwidth of staged copies",
                 .open = {Outcome::delivered},
                 .failure = Failure::is_information});

}  // namespace peerproof
