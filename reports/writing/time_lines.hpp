// Where the time went, in the words that the text report and the page have in common.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/time_spent.hpp"

namespace peerproof {

// "62.1 s by the clock for 110.4 s of cases (1.8 at once); 4 % of it no case ran"
std::string clock_line(const TimeSpent& spent);
// "16 %"; "unknown" where the records do not say when they began
std::string share_text(const TimeSpent& spent, double seconds);
// "core.read.gpu0_to_gpu1 0.41 s"
std::string long_case_text(const LongCase& one);

// The lines of the text report: the one above, and a table with a line for each family. None without a case.
std::vector<std::string> time_lines(const TimeSpent& spent);

}  // namespace peerproof
