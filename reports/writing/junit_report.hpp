// junit.xml for CI services. It keeps to what the strictest schema that they use allows, and says in every
// name where a bench is simulated.
//
// A case that was blocked or never run is an error, never "skipped": a CI that reads this file alone is red
// whenever ctest is. Evidence that did not hold passes, with FINDING in its output.
//
// Texts are cut here; report.json has them whole.
#pragma once

#include <string>

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"

namespace peerproof {

inline constexpr std::size_t junit_case_limit = 16 * 1024;         // bytes of text of one case, escaped
inline constexpr std::size_t junit_file_limit = 24 * 1024 * 1024;  // of all cases; services take 30 MB

std::string junit_report(const Verdict& verdict, const Session& session);

}  // namespace peerproof
