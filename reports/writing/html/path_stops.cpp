#include "reports/writing/html/path_stops.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

std::string generation(double gt_per_s) {
    constexpr double rates[] = {2.5, 5, 8, 16, 32, 64};
    for (int i = 0; i < 6; ++i) {
        if (gt_per_s == rates[i]) return format("Gen{}", i + 1);
    }
    return format("{:g} GT/s", gt_per_s);
}

// A link is reported by both of its ends, a device and the port above it: the less of the two is drawn.
Stretch link_of(const DrawnHop& lower, const DrawnHop* port) {
    const bool ports = port != nullptr && lower.ceiling.known() &&
                       (!port->ceiling.known() || *port->ceiling.gb_per_s < *lower.ceiling.gb_per_s);
    const DrawnHop& less = ports ? *port : lower;
    if (!less.ceiling.known()) return {"unknown", {}, true};
    return {format("{} x{}", generation(*less.hop.speed), *less.hop.lanes), less.ceiling.gb_per_s, true};
}

// The links from a GPU upwards.
std::vector<Stretch> climb(const std::vector<DrawnHop>& hops) {
    std::vector<Stretch> links;
    for (std::size_t i = 0; i < hops.size(); i += 2)
        links.push_back(link_of(hops[i], i + 1 < hops.size() ? &hops[i + 1] : nullptr));
    return links;
}

Path path_of(const DrawnPath& drawn, int source, int destination) {
    Path path{.unknown = drawn.ceiling.unknown, .limit = drawn.ceiling.gb_per_s};
    if (drawn.hops.empty() && !drawn.ceiling.known()) return path;
    // As short as a stop is wide.
    const std::string between = drawn.over == "the root complex"        ? "root complex"
                                : drawn.over.starts_with("the bridge ") ? "switch"
                                : drawn.over.starts_with("what lies ")  ? "two roots"
                                                                        : one_line(drawn.over, 24);
    const std::string from = format("gpu{}", source), to = format("gpu{}", destination);
    if (drawn.hops.empty()) {
        path.stops = {from, to};
        path.stretches = {{between, drawn.ceiling.gb_per_s}};
        return path;
    }
    const auto begin = drawn.hops.begin();
    const auto part = begin + static_cast<std::ptrdiff_t>(drawn.up);
    const std::vector<Stretch> up = climb({begin, part});
    const std::vector<Stretch> down = climb({drawn.hops.rbegin(), std::make_reverse_iterator(part)});
    path.stops.push_back(from);
    for (std::size_t i = 0; i < up.size(); ++i) {
        path.stretches.push_back(up[i]);
        path.stops.push_back(i + 1 < up.size() ? "switch" : between);
    }
    for (std::size_t i = down.size(); i > 0; --i) {
        path.stretches.push_back(down[i - 1]);
        path.stops.push_back(i > 1 ? "switch" : to);
    }
    return path;
}

Paths paths_with(const Plan& plan, int source, int destination, const Observed& seen) {
    return {path_of(direct_path(plan, source, destination, Reading::under_load, seen), source, destination),
            path_of(staged_path(plan, source, destination, Reading::under_load, seen), source, destination)};
}

std::string key_of(const Path& path) {
    std::string key = path.unknown;
    for (std::size_t i = 0; i < path.stretches.size(); ++i)
        key += format("|{}|{}|{}", i > 0 ? path.stops[i] : "", path.stretches[i].name,
                      path.stretches[i].ceiling.value_or(-1));
    return key;
}

}  // namespace

std::optional<std::size_t> Path::narrowest() const {
    const std::optional<double> least = ceiling();
    for (std::size_t i = 0; least && i < stretches.size(); ++i) {
        if (stretches[i].ceiling == least) return i;
    }
    return std::nullopt;
}

std::optional<double> Paths::ratio() const {
    if (!direct.ceiling() || !staged.ceiling()) return std::nullopt;
    return *staged.ceiling() / *direct.ceiling();
}

Paths paths_between(const Ledger& ledger, int source, int destination) {
    return paths_with(*ledger.session().plan, source, destination, observed(ledger));
}

std::vector<PathGroup> path_groups(const Ledger& ledger) {
    std::vector<PathGroup> groups;
    const auto& plan = ledger.session().plan;
    if (!plan || plan->links.empty()) return groups;
    std::map<std::string, std::size_t> by_key;
    const Observed seen = observed(ledger);
    const int gpus = ledger.gpus();
    for (int a = 0; a < gpus; ++a) {
        for (int b = 0; b < gpus; ++b) {
            if (a == b) continue;
            Paths paths = paths_with(*plan, a, b, seen);
            const auto [at, is_new] =
                by_key.emplace(key_of(paths.direct) + "||" + key_of(paths.staged), groups.size());
            if (is_new) groups.push_back({std::move(paths), {}});
            groups[at->second].pairs.emplace_back(a, b);
        }
    }
    return groups;
}

}  // namespace peerproof::html
