#include "session/held_gpus.hpp"

#include <algorithm>
#include <string_view>

namespace peerproof {
namespace {

std::vector<int> all_of(const Plan& plan) {
    std::vector<int> all;
    for (const Gpu& gpu : plan.gpus) all.push_back(gpu.index);
    return all;
}

// Bytes that may go through host memory: pinned memory itself, and copies, whatever was enabled for them.
bool may_use_host_memory(const Case& one) {
    return one.check == "host_link" || one.check.find("copy") != std::string::npos;
}

bool stays_in_its_gpu(const Case& one) { return one.gpus.size() == 1 && one.check.starts_with("own_"); }

const GpuLinks* links_of(const Plan& plan, int gpu) {
    const auto found = std::find_if(plan.links.begin(), plan.links.end(),
                                    [&](const GpuLinks& links) { return links.gpu == gpu; });
    return found == plan.links.end() ? nullptr : &*found;
}

bool leads_to(const GpuLinks& links, const std::string& bus_id) {
    return std::any_of(links.nvlinks.begin(), links.nvlinks.end(), [&](const NvLink& link) {
        return link.active &&
               (link.remote_kind == "switch" || (link.remote_kind == "gpu" && link.remote == bus_id));
    });
}

// Nothing is known of NVLink, or of where one of the links ends.
bool has_unknown_nvlink(const GpuLinks& links) {
    return !links.nvlink_unknown.empty() ||
           std::any_of(links.nvlinks.begin(), links.nvlinks.end(),
                       [](const NvLink& link) { return link.active && link.remote_kind == "unknown"; });
}

// The way up as it is, and not as a virtual machine makes it up.
bool has_whole_way_up(const GpuLinks& links) {
    return links.unknown.empty() && !links.hops.empty() && !links.root.empty() &&
           std::none_of(links.hops.begin(), links.hops.end(),
                        [](const Hop& hop) { return hop.kind.starts_with(virtual_port); });
}

bool share_a_bridge(const GpuLinks& a, const GpuLinks& b) {
    return std::any_of(a.hops.begin(), a.hops.end(), [&](const Hop& hop) {
        return std::any_of(b.hops.begin(), b.hops.end(),
                           [&](const Hop& other) { return other.device == hop.device; });
    });
}

}  // namespace

int held_processors(const Case& one) { return one.family == Family::measurement ? 2 : 1; }

std::vector<int> held_gpus(const Plan& plan, const Case& one) {
    if (one.family != Family::measurement || stays_in_its_gpu(one)) return one.gpus;
    if (one.gpus.size() != 2 || may_use_host_memory(one)) return all_of(plan);
    const GpuLinks *a = links_of(plan, one.gpus[0]), *b = links_of(plan, one.gpus[1]);
    if (a == nullptr || b == nullptr || has_unknown_nvlink(*a) || has_unknown_nvlink(*b)) return all_of(plan);
    const auto bus_id = [&](int gpu) { return plan.gpus.at(static_cast<std::size_t>(gpu)).bus_id; };
    if (leads_to(*a, bus_id(b->gpu)) && leads_to(*b, bus_id(a->gpu))) return one.gpus;
    if (!share_a_bridge(*a, *b)) return all_of(plan);
    std::vector<int> held;
    for (const Gpu& gpu : plan.gpus) {
        const GpuLinks* links = links_of(plan, gpu.index);
        if (links == nullptr || !has_whole_way_up(*links)) return all_of(plan);
        if (share_a_bridge(*links, *a) || share_a_bridge(*links, *b)) held.push_back(gpu.index);
    }
    return held;
}

}  // namespace peerproof
