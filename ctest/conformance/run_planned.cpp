#include "ctest/conformance/run_planned.hpp"

#include <algorithm>
#include <iostream>

#include "ctest/conformance/run_case.hpp"
#include "fixtures/context.hpp"
#include "fixtures/gpus.hpp"
#include "session/exit_code.hpp"

namespace peerproof {
namespace {

// The case that --gtest_filter names: exactly one of the plan, since a case is a process.
const Case* named_case(const Plan& plan, const std::vector<std::string>& arguments) {
    constexpr std::string_view flag = "--gtest_filter=";
    for (const std::string& argument : arguments) {
        if (!argument.starts_with(flag)) continue;
        for (const Case& one : plan.cases) {
            if (one.test == argument.substr(flag.size())) return &one;
        }
    }
    return nullptr;
}

}  // namespace

int run_planned(const PlannedRun& run) {
    Context& here = context();
    here.plan = read_plan(run.plan);
    here.session_folder = std::filesystem::absolute(run.plan).parent_path();
    here.record_fd = run.record_fd;
    here.one = named_case(here.plan, run.for_gtest);
    if (here.one == nullptr) {
        std::cerr << run.for_gtest.front() << ": --gtest_filter names no case of " << run.plan.string()
                  << "\n";
        return exit_nothing_ran;
    }
    std::vector<Gpu> gpus;
    for (const int gpu : here.one->gpus) gpus.push_back(here.plan.gpus.at(static_cast<std::size_t>(gpu)));
    show_only(gpus);
    return init_gtest(run.for_gtest) ? run_selected() : int{exit_usage};
}

}  // namespace peerproof
