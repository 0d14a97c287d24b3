// collective: the cases that need NCCL. Says which there are, or runs one.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "ctest/collective/same_bench.hpp"
#include "ctest/conformance/run_case.hpp"
#include "ctest/conformance/run_planned.hpp"
#include "fixtures/claims.hpp"
#include "fixtures/context.hpp"
#include "fixtures/nccl/communicators.hpp"
#include "session/exit_code.hpp"
#include "session/json.hpp"
#include "session/run_main.hpp"

namespace peerproof {
namespace {

struct Options {
    int gpus = 0;
    PlannedRun run;
};

Options parse_options(int argc, char** argv) {
    Options options;
    CLI::App app("peerproof's collective: all-reduces over NCCL. CTest runs them, one process a case.");
    app.allow_extras();
    auto* cases =
        app.add_option("--cases", options.gpus, "Print the cases of a bench with so many GPUs, as JSON")
            ->check(CLI::Range(0, 64));
    auto* plan =
        app.add_option("--plan", options.run.plan, "Run the one case of this plan that --gtest_filter names")
            ->excludes(cases);
    app.add_option("--record-fd", options.run.record_fd, "File descriptor that takes the record")
        ->check(CLI::Range(3, 1023))
        ->needs(plan);
    try {
        app.parse(argc, argv);
        if (cases->count() + plan->count() == 0) throw CLI::RequiredError("--cases or --plan");
    } catch (const CLI::CallForHelp& help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        std::exit(exit_usage);
    }
    options.run.for_gtest = {argv[0]};
    for (std::string& extra : app.remaining()) options.run.for_gtest.push_back(std::move(extra));
    return options;
}

std::string nccl_version() {
    int version = 0;
    return ncclGetVersion(&version) == ncclSuccess ? nccl_version_text(version) : "unknown";
}

// The cases depend on the number of GPUs alone.
int print_cases(const Options& options) {
    Plan& plan = context().plan;
    for (int index = 0; index < options.gpus; ++index) plan.gpus.push_back({.index = index});
    if (!init_gtest(options.run.for_gtest)) return exit_usage;
    nlohmann::json answer{{"nccl", nccl_version()}};
    for (const Expectation expectation : {Expectation::open, Expectation::locked}) {
        nlohmann::json cases = nlohmann::json::array();
        for (const Case& one : planned_cases(expectation)) cases.push_back(to_json(one));
        answer[std::string{to_string(expectation)}] = cases;
    }
    std::cout << answer.dump() << "\n";
    return exit_held;
}

int run(const Options& options) {
    need_same_bench();
    return options.run.plan.empty() ? print_cases(options) : run_planned(options.run);
}

}  // namespace
}  // namespace peerproof

int main(int argc, char** argv) {
    return peerproof::run_main("collective",
                               [&] { return peerproof::run(peerproof::parse_options(argc, argv)); });
}
