// `peerproof-report watch`: ctest's output from standard input, as progress for a person.
//
//   failed core.write.gpu0_to_gpu1 after 0.41 s: missing (expected delivered): word: nothing arrived ...
//   [12/42] 3 s, 1 failed, now core.write.gpu1_to_gpu0
//
// On a terminal the last line changes in place; elsewhere it is printed again every ten seconds and at the
// end. Every byte of ctest's goes to the log as it is.
#pragma once

#include <filesystem>
#include <string>

#include "reports/commands/ctest_output.hpp"
#include "reports/writing/terminal/paint.hpp"

namespace peerproof {

// One line without its line break, at most `width` characters before it is painted.
std::string progress_line(const CtestOutput& output, double seconds, std::size_t width, const Paint& paint);
std::string failure_line(const EndedTest& test, const Paint& paint);

// Reads until the end of the input. 0, or 75 where the log cannot be written: the lines are shown all the
// same.
int watch_command(int input, const std::filesystem::path& log);

}  // namespace peerproof
