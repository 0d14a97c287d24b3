// conformance: lists the bench for CTest, opens a session, or runs a case.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "ctest/conformance/bench_in_sight.hpp"
#include "ctest/conformance/collective_cases.hpp"
#include "ctest/conformance/open_session.hpp"
#include "ctest/conformance/options.hpp"
#include "ctest/conformance/run_case.hpp"
#include "ctest/conformance/run_planned.hpp"
#include "ctest/registration.hpp"
#include "fixtures/claims.hpp"
#include "fixtures/context.hpp"
#include "fixtures/machine/describe.hpp"
#include "fixtures/ways/serve_commands.hpp"
#include "session/again.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/planned_ways.hpp"
#include "session/run_main.hpp"
#include "session/settings.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

constexpr int usual_crowd_s = 3;

void plan_cases(Plan& plan, const Settings& settings) {
    plan.cases = planned_cases(Expectation::open);
    AcceptedIfLocked if_locked;
    for (const Case& one : planned_cases(Expectation::locked)) if_locked[one.id] = one.accepted;
    // Simulated time is modelled: larger samples would say nothing more, and move real bytes.
    plan.measurements =
        settings.measurements.value_or(plan.simulated ? Measurements::brief : Measurements::full);
    const char* no_measurements = plan.measurements == Measurements::off ? "PEERPROOF_MEASUREMENTS is off"
                                  : plan.self_check ? "a self-check enables no peer access"
                                                    : nullptr;
    if (no_measurements != nullptr) {
        std::erase_if(plan.cases, [](const Case& one) { return one.family == Family::measurement; });
        plan.not_run["measurements"] = no_measurements;
    }
    need_known_ways(plan.cases);
    if (plan.self_check)
        keep_ways(plan, {}, "a self-check enables no peer access");
    else if (settings.ways.empty())
        keep_ways(plan, {}, "PEERPROOF_WAYS is off");
    else
        keep_ways(plan, settings.ways, "PEERPROOF_WAYS leaves out");
    // Simulated time says nothing more in more rounds.
    plan.crowd_s =
        settings.crowd_s.value_or(plan.simulated ? 0 : std::min(usual_crowd_s, plan.deadline_s / 2));
    const char* no_crowd = settings.crowd_s == 0 ? "PEERPROOF_CROWD is off"
                           : plan.self_check     ? "a self-check enables no peer access"
                                                 : nullptr;
    if (no_crowd != nullptr) {
        std::erase_if(plan.cases, [](const Case& one) { return one.family == Family::crowd; });
        plan.not_run["crowd"] = no_crowd;
    } else if (2 * plan.crowd_s > plan.deadline_s) {
        throw UsageError(format(
            "PEERPROOF_CROWD: {} s of a case that may take {} s (PEERPROOF_DEADLINE); half of it at most",
            plan.crowd_s, plan.deadline_s));
    }
    plan.soak_s = settings.soak_s.value_or(0);
    if (plan.soak_s == 0 || plan.self_check)
        std::erase_if(plan.cases, [](const Case& one) { return one.family == Family::soak; });
    if (plan.soak_s > 0 && plan.self_check) plan.not_run["soak"] = "a self-check enables no peer access";
    add_collective_cases(plan, if_locked, settings);
    need_own_numbers(plan.cases);
    // The closings come after the collective.
    std::stable_sort(plan.cases.begin(), plan.cases.end(),
                     [](const Case& a, const Case& b) { return a.family < b.family; });
    put_soak_behind_the_rest(plan);
    put_again_last(plan);
    if (plan.expectation == Expectation::locked) expect_locked(if_locked, plan);
    if (plan.expectation == Expectation::baseline) expect_as_in(settings.baseline, if_locked, plan);
    require_ways(plan, settings.required_ways);
}

int list_bench(const Options& options, const Settings& settings) {
    Plan& plan = context().plan;
    plan = bench_in_sight(settings, options.session);
    if (!init_gtest(options.for_gtest)) return exit_usage;
    plan_cases(plan, settings);
    // Which measurements may run beside others is in the links. A simulated bench has its own sysfs, or none.
    if (!plan.simulated || settings.sysfs != Settings{}.sysfs) read_all_links(plan, settings.sysfs);
    const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
    RegistrationPaths paths{.bin = bin,
                            .session_folder = fs::absolute(options.out) / options.session,
                            .simulated_libraries = bin.parent_path() / "lib" / "simulated",
                            .bench = {}};
    if (settings.bench) paths.bench = fs::absolute(*settings.bench);
    if (!settings.baseline.empty()) paths.baseline = fs::absolute(settings.baseline);
    write_file_atomically(options.emit_ctest, registration_script(plan, paths));
    return exit_held;
}

int open_bench(const Options& options, const Settings& settings) {
    Plan& plan = context().plan;
    plan = bench_in_sight(settings, options.session);
    if (!init_gtest(options.for_gtest)) return exit_usage;
    describe_machine(plan, settings.sysfs);
    plan_cases(plan, settings);
    return open_session(plan, options.open, options.listed);
}

int run_by_hand(const Options& options, const Settings& settings) {
    if (settings.expectation == Expectation::baseline)
        throw UsageError("PEERPROOF_EXPECT: a file says what a session must be; by hand, say open or locked");
    Plan& plan = context().plan;
    plan = bench_in_sight(settings, format("by-hand-{}", ::getpid()));
    plan.soak_s = settings.soak_s.value_or(0);
    if (plan.simulated) std::cout << "SIMULATED BENCH " << *plan.simulated << "\n";
    if (!init_gtest(options.for_gtest)) return exit_usage;
    return run_selected();
}

int run(const Options& options) {
    if (options.second_process >= 0) return serve_commands(options.second_process);
    if (!options.plan.empty()) return run_planned({options.plan, options.record_fd, options.for_gtest});
    ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
    const Settings settings = settings_from(environ);
    if (!options.emit_ctest.empty()) return list_bench(options, settings);
    if (!options.open.empty()) return open_bench(options, settings);
    return run_by_hand(options, settings);
}

}  // namespace
}  // namespace peerproof

int main(int argc, char** argv) {
    return peerproof::run_main("conformance",
                               [&] { return peerproof::run(peerproof::parse_options(argc, argv)); });
}
