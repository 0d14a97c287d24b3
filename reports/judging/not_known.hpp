// What the session does not know although it is whole: cases that were not started because their GPUs did
// not answer, cases that could not be set up, and GPUs that were not there any more at the end. None of it
// accuses a pair, and none of it may be passed over.
//
// A check that was seen to fail is said before these.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// Of core checks, of GPUs at the end, and of gating measurements, all-reduces and evidence that their GPUs did not let
// be set up: with any of these there is no verdict, but where a core check is silent or hung.
std::vector<Reason> what_is_not_known(const Ledger& ledger);

// Gating cases beside the core that were not started: what they wait for is a case that hung, and where a
// finding says so the bench is suspect; else there is no verdict.
std::vector<Reason> not_started_beside_the_core(const Ledger& ledger);

// Why nothing is known of a case, in one line: its summary without what its outcome says already.
std::string why_not(const Ledger::Entry& entry);

// "gpu1 (0000:c1:00.0, GPU-...)": the GPUs that all of these cases have in common, or else all of their
// GPUs.
std::string gpus_of(const Plan& plan, const std::vector<const Ledger::Entry*>& entries);

}  // namespace peerproof
