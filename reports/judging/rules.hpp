// The rules by which the core checks of a whole session become a verdict. Pure; the order is the judge's.
//
//   if (const auto worst = what_failed_worst(ledger, signature, reason)) ...    // silent, hung
//   else verdict = what_it_is(ledger, findings, reason);    // open, suspect, locked, partial
//
// `reason` is set where there is an answer.
#pragma once

#include <optional>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// What was seen to fail is said whatever else is not known. None where it is neither silent nor hung.
std::optional<VerdictWord> what_failed_worst(const Ledger& ledger, const Signature& signature,
                                             Reason& reason);

// Of a session of which everything is known.
VerdictWord what_it_is(const Ledger& ledger, const std::vector<Finding>& findings, Reason& reason);

}  // namespace peerproof
