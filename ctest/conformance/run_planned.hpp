// Runs the one case of a plan that --gtest_filter names, with its GPUs and no others in sight. What
// `conformance` and `collective` do for supervise.
//
// Throws FormatError for a plan that is none. Exit codes: session/exit_code.hpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace peerproof {

struct PlannedRun {
    std::filesystem::path plan;
    int record_fd = -1;
    std::vector<std::string> for_gtest;  // the program's name first
};

int run_planned(const PlannedRun&);

}  // namespace peerproof
