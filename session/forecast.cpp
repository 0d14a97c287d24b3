#include "session/forecast.hpp"

#include <charconv>
#include <cstring>
#include <map>
#include <string_view>

#include "session/duration.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_costs = 1024 * 1024, longest_report = 64 * 1024 * 1024;
constexpr int own_tests = 2;  // bench.open and verdict
constexpr int most_jobs = 1024;

struct FamilyName {
    Family family;
    const char *one, *many;
};
constexpr FamilyName family_names[] = {{Family::control, "control", "controls"},
                                       {Family::core, "core check", "core checks"},
                                       {Family::evidence, "evidence", "evidence"},
                                       {Family::way, "way", "ways"},
                                       {Family::measurement, "measurement", "measurements"},
                                       {Family::collective, "all-reduce", "all-reduces"},
                                       {Family::crowd, "all at once", "all at once"},
                                       {Family::soak, "soak", "soaks"},
                                       {Family::again, "asked again", "asked again"},
                                       {Family::closing, "closing", "closings"}};

std::string_view family_name(Family family, int count) {
    for (const FamilyName& name : family_names) {
        if (name.family == family) return count == 1 ? name.one : name.many;
    }
    return to_string(family);
}

bool is_cost(double seconds) { return seconds >= 0 && seconds < 1e6; }

// The same GPUs, simulated or not, and the same amount of bytes: then a case takes what it took.
bool is_alike(const Plan& plan, const Plan& last) {
    std::vector<std::string> now, then;
    for (const Gpu& gpu : plan.gpus) now.push_back(gpu.uuid);
    for (const Gpu& gpu : last.gpus) then.push_back(gpu.uuid);
    return now == then && plan.simulated == last.simulated && plan.large_step_mib == last.large_step_mib &&
           plan.measurements == last.measurements;
}

}  // namespace

std::string tests_text(const Plan& plan) {
    std::map<Family, int> counts;
    for (const Case& one : plan.cases) ++counts[one.family];
    std::string text = format("{} tests on {} GPUs: ", plan.cases.size() + own_tests, plan.gpus.size());
    for (const auto& [family, count] : counts) text += format("{} {}, ", count, family_name(family, count));
    return text + format("{} of the session itself", own_tests);
}

std::string time_text(const Plan& plan, const CaseCosts& costs, std::optional<int> jobs) {
    const auto with = [&](int at_once) { return duration_text(seconds_of(plan, costs, at_once)); };
    if (jobs) return format("about {} with {} at once, {}", with(*jobs), *jobs, costs.source);
    const int most = static_cast<int>(plan.gpus.size());  // a case holds one GPU at least
    return format("about {} one at a time, {} with {} at once, {}", with(1), with(most), most, costs.source);
}

std::optional<CaseCosts> costs_of_report(const fs::path& report, const Plan* like, bool simulated) {
    try {
        const nlohmann::json json = read_json(report, longest_report);
        const Member root(json, report.string());
        if (root.is_null("time") || root.is_null("plan")) return std::nullopt;
        if (like != nullptr && !is_alike(*like, plan_from_json(root.at("plan").json(), report.string())))
            return std::nullopt;
        CaseCosts costs = measured_costs(simulated);
        for (const Member& check : root.at("time").list("checks")) {
            const auto cases = static_cast<double>(check.natural("cases"));
            const double seconds = check.number("seconds");
            if (cases > 0 && is_cost(seconds / cases))
                costs.of_check[check.string("check")] = seconds / cases;
        }
        costs.source = "by what session " + printable(root.string("session"), 64) + " took";
        return costs;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

CaseCosts expected_costs(const Plan& plan, const fs::path& last_session) {
    const bool simulated = plan.simulated.has_value();
    return costs_of_report(last_session / "report.json", &plan, simulated)
        .value_or(measured_costs(simulated));
}

void write_costs(const CaseCosts& costs, const fs::path& session_folder) {
    const nlohmann::json json{
        {"schema", "peerproof.costs/1"}, {"source", costs.source}, {"seconds", costs.of_check}};
    write_file_atomically(session_folder / "costs.json", json.dump(1) + "\n");
}

CaseCosts read_costs(const Plan& plan, const fs::path& session_folder) {
    const CaseCosts measured = measured_costs(plan.simulated.has_value());
    try {
        const fs::path file = session_folder / "costs.json";
        const nlohmann::json json = read_json(file, longest_costs);
        const Member root(json, file.string());
        CaseCosts costs = measured;
        costs.source = printable(root.string("source"), 120);
        for (const auto& [check, value] : root.at("seconds").json().items()) {
            const double seconds = root.at("seconds").number(check.c_str());
            if (is_cost(seconds)) costs.of_check[check] = seconds;
        }
        return costs;
    } catch (const std::exception&) {
        return measured;
    }
}

std::optional<int> jobs_from(const char* parallel_level) {
    if (parallel_level == nullptr) return std::nullopt;
    int jobs = 0;
    const char* end = parallel_level + std::strlen(parallel_level);
    const auto [stopped, error] = std::from_chars(parallel_level, end, jobs);
    if (error != std::errc{} || stopped != end || jobs < 1 || jobs > most_jobs) return std::nullopt;
    return jobs;
}

}  // namespace peerproof
