// Staged copy: the same copy in a process where nobody enabled peer access, so that the driver stages it
// through host memory. Evidence beside the core: what a bench does without P2P, and what a copy that passes
// is worth.
#include "fixtures/pair_check.hpp"
#include "fixtures/peer_copy.hpp"

namespace peerproof {

struct StagedCopy : PairCheck {};

TEST_P(StagedCopy, Arrives) { EXPECT_TRUE(transfer({.access = PeerAccess::leave}, peer_copy)); }

PEERPROOF_CLAIM_PER_PAIR(Evidence, StagedCopy, Arrives,
                         {.number = 21,
                          .title = "Staged copy, P2P never enabled",
                          .open = {Outcome::delivered},
                          .failure = Failure::is_information});

}  // namespace peerproof
