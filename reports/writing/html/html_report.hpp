// report.html: one file for people, to be opened from disk. The parts that are read stand in it as markup;
// the evidence of each case is data beside it, which report.js shows when a cell or a row is asked for.
#pragma once

#include <string>

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"

namespace peerproof {

std::string html_report(const Verdict& verdict, const Session& session);

}  // namespace peerproof
