// What is said of the size and the time of a session before it starts: by the test bench.open, and by
// ctest/bench as soon as that has ended.
//
//   const CaseCosts costs = expected_costs(plan, "runs/latest");   // before latest points to this session
//   tests_text(plan)              // "44 tests on 2 GPUs: 8 controls, 6 core, ... and 2 of the session itself"
//   time_text(plan, costs, 8)     // "about 25 s with 8 at once, as measured on a simulated bench"
//
// bench.open leaves the costs in costs.json of the session's folder, where the progress of ctest/bench finds
// them. They decide nothing.
#pragma once

#include <filesystem>
#include <optional>

#include "session/schedule.hpp"

namespace peerproof {

std::string tests_text(const Plan& plan);
// Without a number of jobs: one at a time, and as many as can run at once.
std::string time_text(const Plan& plan, const CaseCosts& costs, std::optional<int> jobs);

// What the cases of a session took, from its report.json: none where that cannot be read, or is not of such a
// bench as `like`, where there is one.
std::optional<CaseCosts> costs_of_report(const std::filesystem::path& report, const Plan* like,
                                         bool simulated);

// As measured; where the last session was of this bench and of the same sizes, what its cases took.
CaseCosts expected_costs(const Plan& plan, const std::filesystem::path& last_session);

void write_costs(const CaseCosts& costs, const std::filesystem::path& session_folder);
// As measured, where there are none that can be read.
CaseCosts read_costs(const Plan& plan, const std::filesystem::path& session_folder);

// How many tests ctest was told to run at once, by its variable CTEST_PARALLEL_LEVEL; mostly nobody says.
std::optional<int> jobs_from(const char* parallel_level);

}  // namespace peerproof
