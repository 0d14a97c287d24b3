#include "session/again.hpp"

#include <algorithm>

namespace peerproof {
namespace {

bool is_failure(Outcome outcome) {
    switch (outcome) {
        case Outcome::delivered:
        case Outcome::inconclusive:
        case Outcome::not_started:
        case Outcome::not_applicable:
            return false;
        default:
            return true;
    }
}

bool is_no(Outcome outcome) { return outcome == Outcome::illegal_address || outcome == Outcome::refused; }

// Every read and every write was seen, and the answer was no.
bool is_closed(const Plan& plan, const std::map<std::string, Outcome>& outcomes) {
    return std::all_of(plan.cases.begin(), plan.cases.end(), [&](const Case& one) {
        if (one.family != Family::core) return true;
        const auto outcome = outcomes.find(one.id);
        if (outcome == outcomes.end()) return false;
        return one.check == "copy" ? outcome->second == Outcome::delivered || is_no(outcome->second)
                                   : is_no(outcome->second);
    });
}

}  // namespace

void put_again_last(Plan& plan) {
    Case* first = nullptr;
    for (Case& one : plan.cases) {
        if (one.family != Family::again) continue;
        if (first != nullptr) {
            one.after = {first->id};
            continue;
        }
        first = &one;
        for (const Case& other : plan.cases) {
            if (other.family != Family::control && other.family != Family::again &&
                other.family != Family::closing)
                one.after.push_back(other.id);
        }
    }
}

void put_soak_behind_the_rest(Plan& plan) {
    for (Case& one : plan.cases) {
        if (one.family != Family::soak) continue;
        one.after.clear();
        for (const Case& other : plan.cases) {
            const Family family = other.family;
            if (family != Family::control && family != Family::soak && family != Family::again &&
                family != Family::closing)
                one.after.push_back(other.id);
        }
    }
}

std::set<std::string> pairs_to_ask_again(const Plan& plan, const std::map<std::string, Outcome>& outcomes) {
    std::set<int> failed;
    if (!is_closed(plan, outcomes)) {
        for (const Case& one : plan.cases) {
            const auto outcome = outcomes.find(one.id);
            if (one.family == Family::core && outcome != outcomes.end() && is_failure(outcome->second))
                failed.insert(one.gpus.begin(), one.gpus.end());
        }
    }
    std::set<std::string> places;
    for (const Case& one : plan.cases) {
        if (one.family != Family::core) continue;
        const bool is_first = places.empty();
        if (is_first ||
            std::any_of(one.gpus.begin(), one.gpus.end(), [&](int gpu) { return failed.contains(gpu); }))
            places.insert(place_of(one));
    }
    return places;
}

}  // namespace peerproof
