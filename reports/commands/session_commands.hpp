// The three commands of peerproof-report (session/README.md). Each prints to `out` and answers the exit code.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "reports/writing/terminal/paint.hpp"

namespace peerproof {

// Judges the session in the folder, writes report.txt, report.html, report.md, junit.xml and report.json
// there, and prints the report. A report that cannot be written makes it no_verdict: a green run that nobody
// can look into is none. `not_listed` says why there is no plan: the bench could not be listed. OUT/latest
// then points at this session, so that nobody takes an earlier one for it; empty where the bench was listed.
int verdict_command(const std::filesystem::path& folder, const std::string& session,
                    const std::string& not_listed, std::ostream& out);

// The closing lines of a session that was judged: signature, verdict and reports, from report.json.
int lines_command(const std::filesystem::path& folder, std::ostream& out);

// What the run ended with, once more: matrix, measurements, findings, closing lines. `whole`: report.txt instead.
// 0 where there was something to show, whatever the verdict; 75 else, and where the session has no verdict of
// its own, or its files now say another one than report.json.
int show_command(const std::filesystem::path& folder, bool whole, const Paint& paint, std::ostream& out);

}  // namespace peerproof
