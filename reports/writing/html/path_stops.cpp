#include "reports/writing/html/path_stops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"

namespace peerproof::html {
namespace {

std::string generation(double gt_per_s) {
    constexpr double rates[] = {2.5, 5, 8, 16, 32, 64};
    for (int i = 0; i < 6; ++i) {
        if (gt_per_s == rates[i]) return fmt::format("Gen{}", i + 1);
    }
    return fmt::format("{:g} GT/s", gt_per_s);
}

// A link is reported by both of its ends, a device and the port above it: the less of the two is drawn.
Stretch link_of(const DrawnHop& lower, const DrawnHop* port) {
    const bool ports = port != nullptr && lower.ceiling.known() &&
                       (!port->ceiling.known() || *port->ceiling.gb_per_s < *lower.ceiling.gb_per_s);
    const DrawnHop& less = ports ? *port : lower;
    if (!less.ceiling.known()) return {"unknown", {}, true};
    return {fmt::format("{} x{}", generation(*less.hop.speed), *less.hop.lanes), less.ceiling.gb_per_s, true};
}

// The links from a card upwards.
std::vector<Stretch> climb(const std::vector<DrawnHop>& hops) {
    std::vector<Stretch> links;
    for (std::size_t i = 0; i < hops.size(); i += 2)
        links.push_back(link_of(hops[i], i + 1 < hops.size() ? &hops[i + 1] : nullptr));
    return links;
}

Road road_of(const DrawnRoad& drawn, int source, int destination) {
    Road road{.unknown = drawn.ceiling.unknown, .limit = drawn.ceiling.gb_per_s};
    if (drawn.hops.empty() && !drawn.ceiling.known()) return road;
    // As short as a stop is wide.
    const std::string between = drawn.over == "the root complex"        ? "root complex"
                                : drawn.over.starts_with("the bridge ") ? "switch"
                                : drawn.over.starts_with("what lies ")  ? "two roots"
                                                                        : one_line(drawn.over, 24);
    const std::string from = fmt::format("gpu{}", source), to = fmt::format("gpu{}", destination);
    if (drawn.hops.empty()) {
        road.stops = {from, to};
        road.stretches = {{between, drawn.ceiling.gb_per_s}};
        return road;
    }
    const auto begin = drawn.hops.begin();
    const auto part = begin + static_cast<std::ptrdiff_t>(drawn.up);
    const std::vector<Stretch> up = climb({begin, part});
    const std::vector<Stretch> down = climb({drawn.hops.rbegin(), std::make_reverse_iterator(part)});
    road.stops.push_back(from);
    for (std::size_t i = 0; i < up.size(); ++i) {
        road.stretches.push_back(up[i]);
        road.stops.push_back(i + 1 < up.size() ? "switch" : between);
    }
    for (std::size_t i = down.size(); i > 0; --i) {
        road.stretches.push_back(down[i - 1]);
        road.stops.push_back(i > 1 ? "switch" : to);
    }
    return road;
}

Roads roads_with(const Plan& plan, int source, int destination, const Observed& seen) {
    return {road_of(direct_road(plan, source, destination, Reading::under_load, seen), source, destination),
            road_of(staged_road(plan, source, destination, Reading::under_load, seen), source, destination)};
}

std::string key_of(const Road& road) {
    std::string key = road.unknown;
    for (std::size_t i = 0; i < road.stretches.size(); ++i)
        key += fmt::format("|{}|{}|{}", i > 0 ? road.stops[i] : "", road.stretches[i].name,
                           road.stretches[i].ceiling.value_or(-1));
    return key;
}

}  // namespace

std::optional<std::size_t> Road::narrowest() const {
    const std::optional<double> least = ceiling();
    for (std::size_t i = 0; least && i < stretches.size(); ++i) {
        if (stretches[i].ceiling == least) return i;
    }
    return std::nullopt;
}

std::optional<double> Roads::ratio() const {
    if (!direct.ceiling() || !staged.ceiling()) return std::nullopt;
    return *staged.ceiling() / *direct.ceiling();
}

Roads roads_between(const Ledger& ledger, int source, int destination) {
    return roads_with(*ledger.session().plan, source, destination, observed(ledger));
}

std::vector<RoadGroup> road_groups(const Ledger& ledger) {
    std::vector<RoadGroup> groups;
    const auto& plan = ledger.session().plan;
    if (!plan || plan->links.empty()) return groups;
    std::map<std::string, std::size_t> by_key;
    const Observed seen = observed(ledger);
    const int cards = ledger.gpus();
    for (int a = 0; a < cards; ++a) {
        for (int b = 0; b < cards; ++b) {
            if (a == b) continue;
            Roads roads = roads_with(*plan, a, b, seen);
            const auto [at, is_new] =
                by_key.emplace(key_of(roads.direct) + "||" + key_of(roads.staged), groups.size());
            if (is_new) groups.push_back({std::move(roads), {}});
            groups[at->second].pairs.emplace_back(a, b);
        }
    }
    return groups;
}

}  // namespace peerproof::html
