// The first word of a step that was wrong, for a person.
#pragma once

#include <string>

#include "session/record.hpp"

namespace peerproof {

// Where the first word that differs is, what was expected there, if any one word was, and what was found.
std::string first_difference(const Step& step);

}  // namespace peerproof
