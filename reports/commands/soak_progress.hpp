// How far a soak is, while it runs: from its record, which is written anew after each round.
//
//   soak_progress(soak)   // "soak: round 213, 8 min 20 s left, 4,211,000 operations, 12.3 TB, 0 wrong, hottest gpu1 at 71 C"
#pragma once

#include <filesystem>
#include <string>

#include "reports/commands/ctest_output.hpp"
#include "session/soak.hpp"

namespace peerproof {

std::string soak_progress(const Soak& soak);
// Empty where no soak runs, or nothing is known of it yet.
std::string soak_progress_of(const CtestOutput& output, const std::filesystem::path& session_folder);

}  // namespace peerproof
