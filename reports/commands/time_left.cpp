#include "reports/commands/time_left.hpp"

#include <algorithm>

#include "session/forecast.hpp"

namespace peerproof {
namespace {

constexpr double between_s = 2;

}  // namespace

TimeLeft::TimeLeft(Plan plan, CaseCosts expected, int jobs)
    : plan_(std::move(plan)), expected_(std::move(expected)), jobs_(jobs) {
    for (const Case& one : plan_.cases) by_id_.emplace(one.id, &one);
}

std::unique_ptr<TimeLeft> TimeLeft::of_session(const std::filesystem::path& folder, int jobs) {
    try {
        Plan plan = read_plan(folder / "plan.json");
        CaseCosts costs = read_costs(plan, folder);
        return std::make_unique<TimeLeft>(std::move(plan), std::move(costs), jobs);
    } catch (const std::exception&) {
        return nullptr;  // progress without it
    }
}

std::vector<std::string> TimeLeft::beforehand() const {
    return {tests_text(plan_), time_text(plan_, expected_, jobs_)};
}

void TimeLeft::take(const EndedTest& test) {
    const auto found = by_id_.find(test.name);
    if (found == by_id_.end() || !ended_.insert(test.name).second) return;
    Seen& seen = seen_[check_name(*found->second)];
    ++seen.cases;
    seen.seconds += test.seconds;
    if (found->second->family == Family::soak) return;  // as long as it was asked to be
    seconds_of_ended_ += test.seconds;
    expected_of_ended_ += expected_.of(*found->second);
}

CaseCosts TimeLeft::costs_by_now() const {
    const double ratio = expected_of_ended_ > 0 ? seconds_of_ended_ / expected_of_ended_ : 1;
    CaseCosts costs = expected_;
    for (auto& [family, seconds] : costs.of_family) seconds *= ratio;
    for (auto& [check, seconds] : costs.of_check) seconds *= ratio;
    for (const auto& [check, seen] : seen_) costs.of_check[check] = seen.seconds / seen.cases;
    return costs;
}

std::optional<double> TimeLeft::seconds(double now) {
    if (ended_.empty()) return std::nullopt;
    if (!at_ || now - *at_ >= between_s) {
        worked_out_ = seconds_of(plan_, costs_by_now(), jobs_, ended_);
        at_ = now;
    }
    return worked_out_;
}

}  // namespace peerproof
