#include "reports/html/roads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/plain.hpp"

namespace peerproof::html {
namespace {

// GB/s one way: GT/s a lane x lanes x what the line coding leaves / 8. Generation 6 is FLIT mode: 242 of 256
// bytes.
double pcie_ceiling(double gt_per_s, int lanes) {
    const double coding = gt_per_s < 8 ? 0.8 : gt_per_s < 64 ? 128.0 / 130 : 242.0 / 256;
    return gt_per_s * lanes * coding / 8;
}

std::string generation(double gt_per_s) {
    constexpr double rates[] = {2.5, 5, 8, 16, 32, 64};
    for (int i = 0; i < 6; ++i) {
        if (gt_per_s == rates[i]) return fmt::format("Gen{}", i + 1);
    }
    return fmt::format("{:g} GT/s", gt_per_s);
}

const CardLinks* links_of(const Session& session, int gpu) {
    for (const CardLinks& card : session.plan->links) {
        if (card.gpu == gpu) return &card;
    }
    return nullptr;
}

// What the link above a hop can carry at most. The port above reports the same link, so the lower end speaks
// for it.
Stretch above(const Hop& hop) {
    if (hop.kind == "root port") return {"", {}, false};
    if (!hop.max_speed || !hop.max_lanes) return {"unknown", {}, true};
    return {fmt::format("{} x{}", generation(*hop.max_speed), *hop.max_lanes),
            pcie_ceiling(*hop.max_speed, *hop.max_lanes), true};
}

// From the card's own link up to (not into) hop `end`.
void climb(const CardLinks& card, std::size_t end, Road& road) {
    for (std::size_t i = 0; i < end; ++i) {
        if (i > 0) road.stops.push_back(one_line(card.hops[i].kind, 24));
        road.stretches.push_back(above(card.hops[i]));
    }
}

void descend(const CardLinks& card, std::size_t begin, Road& road) {
    for (std::size_t i = begin; i > 0; --i) {
        road.stretches.push_back(above(card.hops[i - 1]));
        if (i > 1) road.stops.push_back(one_line(card.hops[i - 1].kind, 24));
    }
}

// Up from one card, through the middle, down to the other.
Road over(const CardLinks& from, std::size_t up, const std::string& middle, const CardLinks& to,
          std::size_t down) {
    Road road;
    road.stops.push_back(fmt::format("gpu{}", from.gpu));
    climb(from, up, road);
    road.stops.push_back(middle);
    descend(to, down, road);
    road.stops.push_back(fmt::format("gpu{}", to.gpu));
    return road;
}

std::string why_unknown(const CardLinks* card, int gpu) {
    if (card == nullptr) return fmt::format("nothing was read of the links of gpu{}", gpu);
    if (!card->unknown.empty()) return fmt::format("gpu{}: {}", gpu, card->unknown);
    return card->hops.empty() ? fmt::format("no hops of gpu{} are known", gpu) : "";
}

Road pcie_direct(const CardLinks& a, const CardLinks& b) {
    for (std::size_t up = 1; up < a.hops.size(); ++up) {
        for (std::size_t down = 1; down < b.hops.size(); ++down) {
            if (a.hops[up].device == b.hops[down].device)
                return over(a, up, one_line(a.hops[up].kind, 24), b, down);
        }
    }
    const bool one_root = a.root == b.root;
    return over(a, a.hops.size(), one_root ? "root complex" : "between roots", b, b.hops.size());
}

// NVLink straight to the peer, or all active links where they end in switches; none where there are neither.
std::optional<Road> nvlink_direct(const Session& session, const CardLinks& a, const CardLinks& b) {
    const auto rate = [&](const CardLinks& card, const CardLinks& other, bool& through_switch) {
        double mb_per_s = 0;
        for (const NvLink& link : card.nvlinks) {
            const bool to_peer =
                link.remote == session.plan->gpus.at(static_cast<std::size_t>(other.gpu)).bus_id;
            const bool to_switch = link.remote_kind == "switch";
            if (!link.active || (!to_peer && !to_switch)) continue;
            through_switch |= to_switch;
            mb_per_s += link.mb_per_s;
        }
        return mb_per_s / 1000;
    };
    bool through_switch = false;
    const double up = rate(a, b, through_switch), down = rate(b, a, through_switch);
    if (up <= 0 || down <= 0) return std::nullopt;
    Road road{.stops = {fmt::format("gpu{}", a.gpu)}};
    if (through_switch) {
        road.stops.push_back("NVSwitch");
        road.stretches = {{"NVLink", up}, {"NVLink", down}};
    } else {
        road.stretches = {{"NVLink", std::min(up, down)}};
    }
    road.stops.push_back(fmt::format("gpu{}", b.gpu));
    return road;
}

std::string key_of(const Road& road) {
    std::string key = road.unknown;
    for (std::size_t i = 0; i < road.stretches.size(); ++i)
        key += fmt::format("|{}|{}|{}", i > 0 ? road.stops[i] : "", road.stretches[i].name,
                           road.stretches[i].ceiling.value_or(-1));
    return key;
}

}  // namespace

std::optional<double> Road::ceiling() const {
    std::optional<double> least;
    for (const Stretch& stretch : stretches) {
        if (!stretch.limits) continue;
        if (!stretch.ceiling) return std::nullopt;
        least = std::min(least.value_or(*stretch.ceiling), *stretch.ceiling);
    }
    return least;
}

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

Roads roads_between(const Session& session, int source, int destination) {
    const CardLinks* a = links_of(session, source);
    const CardLinks* b = links_of(session, destination);
    Roads roads;
    const std::optional<Road> nvlink = a && b ? nvlink_direct(session, *a, *b) : std::nullopt;
    std::string why = why_unknown(a, source);
    if (why.empty()) why = why_unknown(b, destination);
    if (why.empty()) {
        roads.staged = over(*a, a->hops.size(), "host memory", *b, b->hops.size());
        roads.direct = nvlink ? *nvlink : pcie_direct(*a, *b);
    } else {
        roads.staged.unknown = why;
        if (nvlink)
            roads.direct = *nvlink;
        else
            roads.direct.unknown = why;
    }
    return roads;
}

std::vector<RoadGroup> road_groups(const Session& session) {
    std::vector<RoadGroup> groups;
    if (!session.plan || session.plan->links.empty()) return groups;
    std::map<std::string, std::size_t> by_key;
    const int cards = static_cast<int>(session.plan->gpus.size());
    for (int a = 0; a < cards; ++a) {
        for (int b = 0; b < cards; ++b) {
            if (a == b) continue;
            Roads roads = roads_between(session, a, b);
            const auto [at, is_new] =
                by_key.emplace(key_of(roads.direct) + "||" + key_of(roads.staged), groups.size());
            if (is_new) groups.push_back({std::move(roads), {}});
            groups[at->second].pairs.emplace_back(a, b);
        }
    }
    return groups;
}

std::optional<double> ceiling_for(const Roads& roads, const Figure& figure) {
    if (figure.unit != "GB/s" || figure.name.find("both") != std::string::npos) return std::nullopt;
    return figure.name.find("staged") == std::string::npos ? roads.direct.ceiling() : roads.staged.ceiling();
}

}  // namespace peerproof::html
