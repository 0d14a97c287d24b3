#include "session/planned_ways.hpp"

#include <algorithm>
#include <stdexcept>

#include "session/format.hpp"
#include "session/settings.hpp"
#include "session/ways.hpp"

namespace peerproof {
namespace {

template <class List, class Value>
bool has(const List& list, const Value& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

void need_known_ways(const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        const auto is = [&](const WayName& way) { return way.name == one.check && way.number == one.number; };
        if (one.family == Family::way && std::none_of(all_ways.begin(), all_ways.end(), is))
            throw std::logic_error(
                format("the way {}, number {}, is none of session/ways.hpp", one.check, one.number));
    }
}

void keep_ways(Plan& plan, const std::vector<std::string>& wanted, const std::string& why) {
    std::erase_if(plan.cases,
                  [&](const Case& one) { return one.family == Family::way && !has(wanted, one.check); });
    std::vector<std::string> left_out = names_of_ways();
    std::erase_if(left_out, [&](const std::string& name) { return has(wanted, name); });
    if (wanted.empty())
        plan.not_run["ways"] = why;
    else if (!left_out.empty())
        plan.not_run["ways"] = format("{}: {}", why, join(left_out, ", "));
}

void require_ways(Plan& plan, const std::vector<std::string>& required) {
    plan.required_ways = required;
    for (const std::string& way : required) {
        bool is_planned = false;
        for (Case& one : plan.cases) {
            if (one.family != Family::way || one.check != way) continue;
            is_planned = true;
            if (!has(one.accepted, Outcome::delivered))
                throw UsageError(format("PEERPROOF_REQUIRE: {} is required, and {} is expected to be {}", way,
                                        one.id, words_of(one.accepted)));
            one.accepted = {Outcome::delivered};
            one.gates = true;
        }
        if (!is_planned && plan.gpus.size() > 1)
            throw UsageError(format("PEERPROOF_REQUIRE: {} is required, and there is no check of it", way));
    }
}

}  // namespace peerproof
