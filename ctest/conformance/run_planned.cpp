#include "ctest/conformance/run_planned.hpp"

#include <algorithm>
#include <iostream>

#include "ctest/conformance/run_case.hpp"
#include "fixtures/context.hpp"
#include "fixtures/gpus.hpp"
#include "session/exit_code.hpp"
#include "session/plan_parts.hpp"

namespace peerproof {
namespace {

// "Core/Read.Arrives/gpu0_to_gpu1", the test that --gtest_filter names; a case is a process, and names one.
std::string named_test(const std::vector<std::string>& arguments) {
    constexpr std::string_view flag = "--gtest_filter=";
    for (const std::string& argument : arguments) {
        if (argument.starts_with(flag)) return argument.substr(flag.size());
    }
    return "";
}

const Case* case_of(const Plan& plan, const std::string& test) {
    const auto found =
        std::find_if(plan.cases.begin(), plan.cases.end(), [&](const Case& one) { return one.test == test; });
    return found == plan.cases.end() ? nullptr : &*found;
}

}  // namespace

int run_planned(const PlannedRun& run) {
    Context& here = context();
    here.session_folder = std::filesystem::absolute(run.plan).parent_path();
    const std::string test = named_test(run.for_gtest);
    // Parts lie beside a plan of this name; a copy of it under another is read as it is.
    here.plan = run.plan.filename() == "plan.json"
                    ? read_plan_of(here.session_folder, test.substr(test.rfind('/') + 1))
                    : read_plan(run.plan);
    here.record_fd = run.record_fd;
    here.one = case_of(here.plan, test);
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
