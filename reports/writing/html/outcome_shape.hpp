// An outcome as a letter in a shape: through (disc), closed (hollow square), lost (diamond), dead (octagon),
// unsure (dashed square), none (dotted square). Shape and letter tell it without colour.
#pragma once

#include <string>
#include <string_view>

#include "reports/judging/ledger.hpp"
#include "reports/writing/html/markup.hpp"

namespace peerproof::html {

std::string_view shape_of(Outcome outcome);

// `delivered` is the letter of what was delivered: 'C', 'R', 'W'.
Markup mark(const Ledger::Entry* entry, char delivered);
Markup mark(Outcome outcome, char delivered);

// "illegal address", "no record", "not finished".
std::string words(const Ledger::Entry* entry);
std::string words(Outcome outcome);

}  // namespace peerproof::html
