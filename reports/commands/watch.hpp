// `peerproof-report watch`: ctest's output from standard input, as progress for a person.
//
//   failed core.write.gpu0_to_gpu1: missing: word: nothing arrived ...
//   failed read latency: illegal address, 6 pairs: sample: following the chain: ...
//   [12/42] 3 s, about 9 s left, 7 failed, now core.write.gpu1_to_gpu0
//
//   [27/33] 2 min 05 s, soak: round 213, 8 min 20 s left, 4,211,000 operations, 12.3 TB, 0 wrong, hottest gpu1 at 71 C
//
// As soon as bench.open has ended it says how many tests there are and about how long they take.
// On a terminal these lines change in place; elsewhere what is new is printed every ten seconds and at the
// end. Every byte of ctest's goes to the log as it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "reports/commands/ctest_output.hpp"
#include "reports/writing/terminal/paint.hpp"

namespace peerproof {

// One line without its line break, at most `width` characters before it is painted. `soak` stands in the place of what
// runs, and of the time that is left.
std::string progress_line(const CtestOutput& output, double seconds, std::size_t width, const Paint& paint,
                          std::optional<double> seconds_left = std::nullopt, const std::string& soak = "");

struct WatchRequest {
    std::filesystem::path log;
    std::filesystem::path session_folder;  // empty: nothing is said of the time that it takes
    int jobs = 1;                          // tests at a time
};

// Reads until the end of the input. 0, or 75 where the log cannot be written: the lines are shown all the
// same.
int watch_command(int input, const WatchRequest& request);

}  // namespace peerproof
