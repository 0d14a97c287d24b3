#include "session/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "session/format.hpp"
#include "session/held_gpus.hpp"

namespace peerproof {
namespace {

using Mask = std::uint64_t;  // of GPUs; more than 64 share bits, and wait for each other a little too often

Mask mask_of(const std::vector<int>& gpus) {
    Mask mask = 0;
    for (const int gpu : gpus) mask |= Mask{1} << (static_cast<unsigned>(gpu) % 64);
    return mask;
}

struct Task {
    int phase = 1;  // 0 the controls, 2 the closings
    Mask holds = 0;
    int workers = 1;
    double seconds = 0;
    bool runs_alone = false;
    int waits_for = 0;              // cases that it comes after and that have not ended
    std::vector<std::size_t> next;  // those that come after it
};

int phase_of(Family family) { return family == Family::control ? 0 : family == Family::closing ? 2 : 1; }

class Schedule {
  public:
    Schedule(const Plan& plan, const CaseCosts& costs, int jobs, const std::set<std::string>& ended,
             const std::set<Family>& alone)
        : jobs_(std::max(1, jobs)) {
        std::map<std::string, std::size_t> places;
        std::vector<const Case*> cases;
        for (const Case& one : plan.cases) {
            if (ended.contains(one.id)) continue;
            places.emplace(one.id, tasks_.size());
            cases.push_back(&one);
            tasks_.push_back({.phase = phase_of(one.family),
                              .holds = mask_of(held_gpus(plan, one)),
                              .workers = std::min(jobs_, held_processors(one)),
                              // The soak lasts as long as it was asked to.
                              .seconds = one.family == Family::soak ? plan.soak_s : costs.of(one),
                              .runs_alone = alone.contains(one.family)});
        }
        for (std::size_t i = 0; i < cases.size(); ++i) {
            for (const std::string& id : cases[i]->after) {
                const auto found = places.find(id);
                if (found == places.end() || found->second == i) continue;
                ++tasks_[i].waits_for;
                tasks_[found->second].next.push_back(i);
            }
        }
    }

    double seconds() {
        double now = 0;
        for (int phase = 0; phase <= 2; ++phase) {
            std::vector<std::size_t> waiting;
            for (std::size_t i = 0; i < tasks_.size(); ++i) {
                if (tasks_[i].phase == phase) waiting.push_back(i);
            }
            while (!waiting.empty() || !running_.empty()) {
                start(waiting, now);
                if (running_.empty()) break;  // what is left waits for each other: nothing of it would run
                now = end_next();
            }
        }
        return now;
    }

  private:
    void start(std::vector<std::size_t>& waiting, double now) {
        std::erase_if(waiting, [&](std::size_t i) {
            const Task& task = tasks_[i];
            if (busy_ + task.workers > jobs_ || alone_ || task.waits_for > 0 || (task.holds & held_) != 0 ||
                (task.runs_alone && !running_.empty()))
                return false;
            held_ |= task.holds;
            busy_ += task.workers;
            alone_ = task.runs_alone;
            running_.emplace(now + task.seconds, i);
            return true;
        });
    }

    double end_next() {
        const auto first = running_.begin();
        const double now = first->first;
        const Task& task = tasks_[first->second];
        held_ &= ~task.holds;
        busy_ -= task.workers;
        if (task.runs_alone) alone_ = false;
        for (const std::size_t i : task.next) --tasks_[i].waits_for;
        running_.erase(first);
        return now;
    }

    int jobs_;
    std::vector<Task> tasks_;
    std::multimap<double, std::size_t> running_;  // by the time of their end
    Mask held_ = 0;
    int busy_ = 0;
    bool alone_ = false;
};

}  // namespace

std::string check_name(const Case& one) { return format("{}.{}", to_string(one.family), one.check); }

double CaseCosts::of(const Case& one) const {
    if (const auto found = of_check.find(check_name(one)); found != of_check.end()) return found->second;
    // A family that nobody measured starts a program on a GPU as a core check does.
    for (const Family family : {one.family, Family::core}) {
        if (const auto found = of_family.find(family); found != of_family.end()) return found->second;
    }
    return 0;
}

CaseCosts measured_costs(bool simulated) {
    // Medians of cases that ran alone. A measurement on a simulated bench is brief. Of what is asked again most
    // has nothing to ask, and starts no program.
    if (simulated)
        return {.of_family = {{Family::control, 0.05},
                              {Family::core, 0.15},
                              {Family::evidence, 0.12},
                              {Family::way, 0.1},
                              {Family::measurement, 0.2},
                              {Family::collective, 0.6},
                              {Family::crowd, 0.4},
                              {Family::again, 0.02},
                              {Family::closing, 0.05}},
                .of_check = {},
                .source = "as measured on a simulated bench"};
    return {.of_family = {{Family::control, 0.45},
                          {Family::core, 0.54},
                          {Family::evidence, 0.45},
                          {Family::way, 0.5},
                          {Family::measurement, 0.5},
                          {Family::collective, 1.5},
                          {Family::crowd, 0.93},
                          {Family::again, 0.03},
                          {Family::closing, 0.45}},
            .of_check = {{"core.copy", 0.60},
                         {"core.read", 0.49},
                         {"core.write", 0.53},
                         {"way.ipc", 0.64},
                         {"way.vmm", 0.66},
                         {"way.pool", 0.50},
                         {"way.graph", 0.33},
                         {"way.atomics", 0.32},
                         {"way.order", 0.33},
                         {"way.widths", 0.34},
                         {"crowd.all_pairs", 4.1}},
            .source = "as measured on an H200"};
}

double seconds_of(const Plan& plan, const CaseCosts& costs, int jobs, const std::set<std::string>& ended,
                  const std::set<Family>& families_alone) {
    return Schedule(plan, costs, jobs, ended, families_alone).seconds();
}

}  // namespace peerproof
