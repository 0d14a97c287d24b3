// Is the ruler sound and the session whole? Everything that stands against a verdict, in the order of the
// design (section 6, number 1). Empty means that the core outcomes may be read.
//
// What this is not: anything about the bench itself.
#pragma once

#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// The core checks of every directed pair. More or fewer of them are another signature.
inline constexpr const char* core_checks[] = {"copy", "read", "write"};

std::vector<Reason> reasons_for_no_verdict(const Ledger& ledger);

}  // namespace peerproof
