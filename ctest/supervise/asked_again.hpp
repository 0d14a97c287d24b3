// Whether a case of the family again has anything to ask: decided once a session, from the records of the core
// checks, by the first case that comes there. That one reads the whole plan: what failed may be of other GPUs
// than its own. <session folder>/again holds the pairs, a line each, for those that follow.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "session/plan.hpp"

namespace peerproof::supervise {

// Why the case is not run: "not asked again: nothing failed on its GPUs". Nothing for every case of another family.
// Throws std::system_error where the folder cannot be written, FormatError where its plan cannot be read.
std::optional<std::string> needs_no_asking(const std::filesystem::path& session_folder, const Case&);

}  // namespace peerproof::supervise
