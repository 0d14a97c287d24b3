// Staged copy bandwidth: the same copy in a process where nobody enabled peer access, so that it goes through host
// memory.
#include "fixtures/transfer_measurement.hpp"

namespace peerproof {

struct StagedCopyBandwidth : TransferMeasurement {};

TEST_P(StagedCopyBandwidth, IsMeasured) { EXPECT_TRUE(one_way(Actor::source, PeerAccess::leave, by_copy)); }

PEERPROOF_CLAIM_PER_PAIR(Measurement, StagedCopyBandwidth, IsMeasured,
                         {.number = 42,
                          .title = "Bandwidth of staged copies from A to B",
                          .open = {Outcome::delivered},
                          .failure = Failure::is_information});

}  // namespace peerproof
