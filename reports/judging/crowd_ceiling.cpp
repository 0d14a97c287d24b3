#include <map>
#include <tuple>

#include "reports/judging/crowd.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

// A link in one direction, and how many flows cross it.
struct Crossed {
    Ceiling ceiling;
    int flows = 0;
};
using Key = std::pair<std::string, std::string>;  // device, direction

class Crossings {
  public:
    // False where something of the path is not known.
    bool add(const Plan& plan, int source, int destination, const DrawnPath& path) {
        if (!path.ceiling.known()) return false;
        for (std::size_t i = 0; i < path.hops.size(); ++i)
            cross({path.hops[i].hop.device, i < path.up ? "up" : "down"}, path.hops[i].ceiling);
        // NVLink: through a switch all flows of a GPU share its links; without one each pair has links of its own.
        if (!path.hops.empty()) return true;
        const bool is_switched = reaches_a_switch(plan, source) && reaches_a_switch(plan, destination);
        const auto end = [&](int gpu, int other) {
            return is_switched ? format("gpu{}", gpu) : format("gpu{} to gpu{}", gpu, other);
        };
        cross({end(source, destination), "out"}, path.ceiling);
        cross({end(destination, source), "in"}, path.ceiling);
        return true;
    }

    // The link that has the most to carry for what it can.
    const Crossed* fullest() const {
        const Crossed* fullest = nullptr;
        const auto seconds = [](const Crossed& one) { return one.flows / *one.ceiling.gb_per_s; };
        for (const auto& [key, one] : crossed_) {
            if (fullest == nullptr || seconds(one) > seconds(*fullest)) fullest = &one;
        }
        return fullest;
    }

  private:
    void cross(const Key& key, const Ceiling& ceiling) {
        Crossed& one = crossed_[key];
        one.ceiling = ceiling;
        ++one.flows;
    }

    static bool reaches_a_switch(const Plan& plan, int gpu) {
        for (const GpuLinks& links : plan.links) {
            if (links.gpu != gpu) continue;
            for (const NvLink& link : links.nvlinks) {
                if (link.active && link.remote_kind == "switch") return true;
            }
        }
        return false;
    }

    std::map<Key, Crossed> crossed_;
};

}  // namespace

Ceiling ceiling_of_sum(const Plan& plan, const std::vector<std::pair<int, int>>& flows, Reading reading,
                       const Observed& seen) {
    Crossings crossings;
    std::map<std::pair<int, int>, DrawnPath> paths;
    for (const auto& [source, destination] : flows) {
        const auto [at, is_new] = paths.try_emplace({source, destination});
        if (is_new) at->second = direct_path(plan, source, destination, reading, seen);
        if (!crossings.add(plan, source, destination, at->second))
            return {.unknown =
                        format("{}: {}", place_name({source, destination}), at->second.ceiling.unknown)};
    }
    const Crossed* fullest = crossings.fullest();
    if (fullest == nullptr) return {.unknown = "nothing flows"};
    const double share = static_cast<double>(flows.size()) / fullest->flows;
    return {.gb_per_s = *fullest->ceiling.gb_per_s * share,
            .hard_gb_per_s = *fullest->ceiling.hard_gb_per_s * share,
            .narrowest = format("{}, which {} of {} flows cross", fullest->ceiling.narrowest, fullest->flows,
                                flows.size())};
}

}  // namespace peerproof
