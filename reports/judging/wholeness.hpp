// Is the suite sound and the session whole? Every reason against a verdict that lies with the suite or the
// session, and not with the bench. Empty means that the core outcomes may be read.
#pragma once

#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// The core checks of every directed pair. More or fewer of them are another signature.
inline constexpr const char* core_checks[] = {"copy", "read", "write"};

std::vector<Reason> reasons_for_no_verdict(const Ledger& ledger);

}  // namespace peerproof
