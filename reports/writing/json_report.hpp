// report.json, schema "peerproof.report/3": the verdict with everything that it rests on, for programs
// (README.md of this room names the members).
#pragma once

#include <filesystem>
#include <string>

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"
#include "session/json.hpp"

namespace peerproof {

// Always valid UTF-8 and valid JSON, whatever is in the session.
std::string json_report(const Verdict& verdict, const Session& session);

// Reads back what decides and what is printed at the end: no plan, no records, no rows; versions 1 and 2 as well.
// Throws FormatError, also where the members contradict each other, or where it is not of that session (if
// one is named).
Verdict read_json_report(const std::filesystem::path& file, const std::string& session = "");
void check_schema(const Member& root);

}  // namespace peerproof
