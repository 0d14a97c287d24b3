// What a run ends with in a terminal, and what `peerproof-report show` prints again: measurements, findings,
// matrix, what to do, and where the rest is. What counts most comes last, where the screen ends, and what
// follows from the core checks is counted and not told. report.txt has everything.
#pragma once

#include <string>

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"
#include "reports/writing/terminal/paint.hpp"

namespace peerproof {

// Without the closing lines, which follow it: they say where a bench is simulated.
std::string terminal_summary(const Verdict& verdict, const Session& session, const Paint& paint);
// closing_lines() in colour.
std::string painted_closing(const std::string& lines, const Verdict& verdict, const Paint& paint);

}  // namespace peerproof
