// report.json, schema "peerproof.report/1": the verdict with everything that it rests on, for programs
// (README.md of this room names the members).
#pragma once

#include <filesystem>
#include <string>

#include "reports/session.hpp"
#include "reports/verdict.hpp"

namespace peerproof {

// Always valid UTF-8 and valid JSON, whatever is in the session.
std::string json_report(const Verdict& verdict, const Session& session);

// Reads back what decides and what is printed at the end: no plan, no records, no rows. Throws FormatError,
// also where the members contradict each other.
Verdict read_json_report(const std::filesystem::path& file);

}  // namespace peerproof
