#include "ctest/conformance/open_session.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "session/exit_code.hpp"
#include "session/forecast.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/latest.hpp"
#include "session/plan_parts.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

void make_folders(const fs::path& folder) {
    const fs::path records = folder / "records";
    if (fs::exists(records) && !fs::is_empty(records)) {
        throw std::runtime_error(
            format("{} already holds records: a session runs once. Give another PEERPROOF_SESSION, or none",
                   folder.string()));
    }
    for (const char* name : {"records", "logs", "quarantine"}) fs::create_directories(folder / name);
}

std::string changed_since(const Plan& plan, const std::vector<std::string>& listed) {
    std::vector<std::string> now;
    for (const Gpu& gpu : plan.gpus) now.push_back(gpu.uuid);
    if (now == listed) return "";
    std::vector<std::string> lost, came;
    const auto not_in = [](const std::vector<std::string>& some, const std::vector<std::string>& others,
                           auto& out) {
        std::copy_if(some.begin(), some.end(), std::back_inserter(out), [&](const auto& uuid) {
            return std::find(others.begin(), others.end(), uuid) == others.end();
        });
    };
    not_in(listed, now, lost);
    not_in(now, listed, came);
    return format(
        "the bench changed between its listing and its run: {} GPUs were listed, {} are there; lost: {}; "
        "new: {}",
        listed.size(), now.size(), lost.empty() ? "none" : join(lost, " "),
        came.empty() ? "none" : join(came, " "));
}

}  // namespace

int open_session(const Plan& plan, const fs::path& folder, const std::vector<std::string>& listed) {
    CaseCosts costs;
    try {
        make_folders(folder);
        const std::string text = to_json(plan).dump(1) + "\n";
        // As the cases will read it: what is not UTF-8 in a name, say, is written as something else.
        write_parts(plan_from_json(nlohmann::json::parse(text), "plan.json"), folder, text.size());
        write_file_atomically(folder / "plan.json", text);
        costs = expected_costs(plan, folder.parent_path() / "latest");
        write_costs(costs, folder);
        point_latest_at(folder);
    } catch (const std::exception& reason) {
        std::cerr << "bench.open: the session folder cannot be made: " << reason.what() << "\n";
        return exit_no_verdict;
    }
    if (plan.simulated) std::cout << "SIMULATED BENCH " << *plan.simulated << "\n";
    if (plan.self_check) std::cout << "SELF-CHECK: peer access is deliberately not enabled\n";
    for (const Gpu& gpu : plan.gpus) {
        std::cout << format("gpu{} {} {} {}\n", gpu.index, gpu.bus_id, gpu.uuid, printable(gpu.name, 100));
    }
    std::cout << format("{}\n{}\nsession {} in {}\n", tests_text(plan),
                        time_text(plan, costs, jobs_from(std::getenv("CTEST_PARALLEL_LEVEL"))), plan.session,
                        folder.string());
    if (const std::string changed = changed_since(plan, listed); !changed.empty()) {
        std::cerr << "bench.open: " << changed << "\n";
        return exit_no_verdict;
    }
    if (plan.gpus_wanted && *plan.gpus_wanted != static_cast<int>(plan.gpus.size())) {
        std::cerr << format("bench.open: {} GPUs were asked for, {} are there\n", *plan.gpus_wanted,
                            plan.gpus.size());
        return exit_no_verdict;
    }
    return exit_held;
}

}  // namespace peerproof
