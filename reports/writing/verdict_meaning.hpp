// What a verdict means and what to do next, for people who see the word for the first time. README.md says
// the same.
#pragma once

#include <string_view>

#include "reports/judging/verdict.hpp"

namespace peerproof {

std::string_view meaning_of(VerdictWord word);     // one sentence
std::string_view next_step_for(VerdictWord word);  // one or two

}  // namespace peerproof
