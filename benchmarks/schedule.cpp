// The time of whole sessions, from the cost of a case and the schedule of their plans (session/schedule.hpp).
// benchmarks/schedule calls it.
//
//   schedule_times [--costs FOLDER] NAME=FOLDER...     FOLDER: of a session that was opened at least
//
// Costs are those measured on an H200, or, with --costs, what the cases of that session took. With one job for
// each GPU all disjoint pairs run side by side, measurements too. Exit code 1 where the core of eight GPUs takes 60 s or more.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include "session/duration.hpp"
#include "session/exit_code.hpp"
#include "session/forecast.hpp"
#include "session/format.hpp"

namespace {

using namespace peerproof;

constexpr double most_core_s = 60;
constexpr std::size_t gpus_of_most_core = 8;

Plan only(const Plan& plan, std::initializer_list<Family> families) {
    Plan some = plan;
    std::erase_if(some.cases, [&](const Case& one) {
        return std::find(families.begin(), families.end(), one.family) == families.end();
    });
    return some;
}

// Whether the core is as fast as it must be.
bool tell(const std::string& name, const Plan& plan, const CaseCosts& costs) {
    const int jobs = static_cast<int>(plan.gpus.size());
    const double core = seconds_of(only(plan, {Family::control, Family::core, Family::closing}), costs, jobs);
    const double alone = seconds_of(plan, costs, jobs, {}, {Family::measurement, Family::collective});
    print(stdout, "{:<14} {:>4} {:>6} {:>3} {:>12} {:>18} {:>14} {:>14}\n", name, plan.gpus.size(),
          plan.cases.size(), jobs, duration_text(core), duration_text(seconds_of(plan, costs, 1)),
          duration_text(alone), duration_text(seconds_of(plan, costs, jobs)));
    return plan.gpus.size() != gpus_of_most_core || core < most_core_s;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    CaseCosts costs = measured_costs(false);
    if (words.size() > 2 && words[0] == "--costs") {
        const auto taken = costs_of_report(std::filesystem::path(words[1]) / "report.json", nullptr, false);
        if (!taken) {
            print(stdout, "schedule_times: {} has no report.json with its times\n", words[1]);
            return exit_usage;
        }
        costs = *taken;
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.empty()) return exit_usage;
    print(stdout, "cost of a case: {}\n", costs.source);
    print(stdout, "{:<14} {:>4} {:>6} {:>3} {:>12} {:>18} {:>14} {:>14}\n", "bench", "GPUs", "cases", "-j",
          "core", "whole, one by one", "whole, before", "whole");
    bool fast_enough = true;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) return exit_usage;
        try {
            const Plan plan = read_plan(std::filesystem::path(word.substr(equals + 1)) / "plan.json");
            fast_enough = tell(word.substr(0, equals), plan, costs) && fast_enough;
        } catch (const std::exception& reason) {
            print(stdout, "schedule_times: {}\n", reason.what());
            return exit_no_verdict;
        }
    }
    return fast_enough ? exit_held : exit_refuted;
}
