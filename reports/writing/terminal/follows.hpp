// What follows from the core checks, so that a terminal need not tell it again: a measurement, an all-reduce or
// evidence that came out as the core check of the same GPUs and the same operation did, for the same reason.
#pragma once

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// True where all cases of the finding follow. Never where the core delivered, nor for a check whose operation
// is not known here.
bool follows_from_core(const Ledger& ledger, const Finding& finding);

}  // namespace peerproof
