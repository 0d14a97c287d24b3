// The report for people. Programs read report.json.
#pragma once

#include <string>

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"

namespace peerproof {

// Signature, verdict, failing pairs and what they have in common, in fewer than 1000 bytes: CTest cuts the
// output of a passed test after 1024.
std::string verdict_block(const Verdict& verdict, const Session& session);

// What `ctest/bench` ends with; `reports` is the folder, or why there are none.
std::string closing_lines(const Verdict& verdict, const std::string& reports);

// report.txt: the banner of a simulated bench, a row for each check, the verdict and every detail.
std::string text_report(const Verdict& verdict, const Session& session);

// What the program prints: the verdict before the rows, else the same.
std::string printed_report(const Verdict& verdict, const Session& session);

}  // namespace peerproof
