// The core checks that were asked once more at the end: which answered otherwise than the first time, and what had
// gone through the bench until then. Pure.
//
//   again_line(ledger)    // "3 of 6 core checks asked again, all answered as before; of the rest nothing had failed"
//
// An answer that differs makes the verdict suspect, whatever the first answers were, and silent where bytes were missing
// or wrong that had arrived at first. What could not be asked again says nothing of the bench.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

struct AskedAgain {
    const Ledger::Entry* first;
    const Ledger::Entry* again;

    // Bytes are missing or wrong now, and were not the first time.
    bool lost_bytes() const;
    // "core.read.gpu0_to_gpu1 delivered, and at the end wrong: 34 s after the session began, ..."
    std::string text(const Ledger& ledger) const;
};

// Those that were answered otherwise, in the order of the plan.
std::vector<AskedAgain> answered_otherwise(const Ledger& ledger);

// One line, without a line break; empty where none was planned.
std::string again_line(const Ledger& ledger);

void again_findings(const Ledger& ledger, std::vector<Finding>& findings);

}  // namespace peerproof
