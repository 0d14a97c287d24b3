#include "reports/judging/ceilings.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

struct Generation {
    double gt_per_s;
    double coding;  // share of the bits that are bytes
    double hard;    // the largest share that can be defended
};

constexpr std::array<Generation, 6> generations{{{2.5, 0.8, 0.8},
                                                 {5, 0.8, 0.8},
                                                 {8, 128.0 / 130, 128.0 / 130},
                                                 {16, 128.0 / 130, 128.0 / 130},
                                                 {32, 128.0 / 130, 128.0 / 130},
                                                 {64, 242.0 / 256, 1.0}}};

constexpr const char* root_complex = "the root complex";

std::string text_of(const std::optional<double>& rate) {
    return rate ? format("{:g} GT/s", *rate) : "rate unknown";
}
std::string text_of(const std::optional<int>& lanes) {
    return lanes ? format("x{}", *lanes) : "lanes unknown";
}

const GpuLinks* links_of(const Plan& plan, int gpu) {
    const auto found = std::find_if(plan.links.begin(), plan.links.end(),
                                    [&](const GpuLinks& links) { return links.gpu == gpu; });
    return found == plan.links.end() ? nullptr : &*found;
}

Ceiling unknown(const std::string& why) { return {.unknown = why}; }

Ceiling ceiling_of(const Hop& hop) {
    const auto& rate = hop.speed;
    const auto& lanes = hop.lanes;
    Ceiling ceiling = pcie_ceiling(rate, lanes);
    ceiling.narrowest = format("{} ({} {})", one_line(hop.device, 40), text_of(rate), text_of(lanes));
    if (!ceiling.known() && !hop.unknown.empty()) ceiling.unknown = one_line(hop.unknown, 120);
    if (!ceiling.known()) ceiling.unknown = format("{}: {}", one_line(hop.device, 40), ceiling.unknown);
    return ceiling;
}

// Where one hop is unknown the whole path is: the narrowest could be that one.
Ceiling least_of(const std::vector<DrawnHop>& hops) {
    if (hops.empty()) return unknown("no hop of it is known");
    Ceiling least;
    for (const DrawnHop& hop : hops) {
        if (!hop.ceiling.known()) return unknown(hop.ceiling.unknown);
        if (!least.known() || *hop.ceiling.gb_per_s < *least.gb_per_s) {
            const auto hard = least.hard_gb_per_s;
            least = hop.ceiling;
            if (hard) least.hard_gb_per_s = std::min(*hard, *least.hard_gb_per_s);
        }
        least.hard_gb_per_s = std::min(*least.hard_gb_per_s, *hop.ceiling.hard_gb_per_s);
    }
    return least;
}

constexpr double generation_1 = 2.5;

// Why the numbers of a hop are none: of the GPU's way up it is the one at `at`. Empty where nothing speaks
// against them.
std::string doubt_of(const GpuLinks& gpu, std::size_t at) {
    const Hop& hop = gpu.hops[at];
    if (hop.kind.starts_with(virtual_port))
        return "a port that a virtual machine makes up: what it says is no ceiling";
    if (hop.kind.starts_with(tunnelled_port))
        return "a tunnel (USB4, Thunderbolt): its ports say generation 1, whatever they carry";
    if ((hop.speed && hop.max_speed && *hop.speed > *hop.max_speed) ||
        (hop.lanes && hop.max_lanes && *hop.lanes > *hop.max_lanes))
        return "it says that it is more than it can be at most";
    const auto does_more = [](const Hop& below) {
        return below.max_speed && *below.max_speed > generation_1;
    };
    if (hop.max_speed && *hop.max_speed <= generation_1 &&
        std::any_of(gpu.hops.begin(), gpu.hops.begin() + static_cast<std::ptrdiff_t>(at), does_more))
        return "it says generation 1 at most above a device that does more, as tunnels and virtual ports do";
    return "";
}

// Of the ways up of these GPUs, by device.
using Doubts = std::map<std::string, std::string>;
Doubts doubts_of(std::initializer_list<const GpuLinks*> gpus) {
    Doubts doubts;
    for (const GpuLinks* gpu : gpus) {
        for (std::size_t at = 0; at < gpu->hops.size(); ++at) {
            if (const std::string why = doubt_of(*gpu, at); !why.empty()) doubts[gpu->hops[at].device] = why;
        }
    }
    return doubts;
}

// Bytes that both ends verified went faster between this GPU and host memory than the hop says it can: the
// hop is not what it says, or there is another way.
void refute(DrawnHop& drawn, int gpu, const std::vector<HostSpeed>& host) {
    for (const HostSpeed& one : host) {
        if (one.gpu != gpu || !drawn.ceiling.known() ||
            one.gb_per_s <= *drawn.ceiling.hard_gb_per_s * rounding)
            continue;
        drawn.ceiling = {
            .narrowest = drawn.ceiling.narrowest,
            .unknown = format("{} is no ceiling: gpu{} and host memory moved {:.2f} GB/s, every byte "
                              "verified",
                              drawn.ceiling.narrowest, gpu, one.gb_per_s)};
    }
}

DrawnHop drawn(Hop hop, int gpu, Reading reading, const Observed& seen, const Doubts& doubts) {
    if (reading == Reading::under_load) {
        const auto load = std::find_if(seen.loads.begin(), seen.loads.end(), [&](const LinkUnderLoad& one) {
            return one.hop.device == hop.device;
        });
        if (load == seen.loads.end())
            reading = Reading::most;
        else
            hop = load->hop;
    }
    if (reading == Reading::most) {
        hop.speed = hop.max_speed;
        hop.lanes = hop.max_lanes;
    }
    DrawnHop made{hop, ceiling_of(hop)};
    if (const auto doubt = doubts.find(hop.device); doubt != doubts.end())
        made.ceiling = {.narrowest = made.ceiling.narrowest,
                        .unknown = format("{}: {}", made.ceiling.narrowest, doubt->second)};
    refute(made, gpu, seen.host);
    return made;
}

using Hops = std::vector<Hop>;

// The hops of the two GPUs below what they share: a bridge that is on both ways up, or the root.
std::pair<Hops, Hops> apart(const GpuLinks& a, const GpuLinks& b, std::string& over) {
    Hops from, to = b.hops;
    for (const Hop& hop : a.hops) {
        const auto shared =
            std::find_if(to.begin(), to.end(), [&](const Hop& h) { return h.device == hop.device; });
        if (shared != to.end()) {
            over = "the bridge " + one_line(hop.device, 40);
            to.erase(shared, to.end());
            return {from, to};
        }
        from.push_back(hop);
    }
    over = root_complex;
    return {from, to};
}

// Two root complexes: each hop is known, and what joins the two is not. It can only carry less than they do.
void between_roots(const GpuLinks& a, const GpuLinks& b, DrawnPath& path) {
    const auto [first, second] = std::minmax(a.root, b.root);
    path.over = format("what lies between {} and {}", one_line(first, 40), one_line(second, 40));
    if (!path.ceiling.known()) return;
    path.ceiling.gb_per_s.reset();
    path.ceiling.unknown = path.over + " is not known";
}

// What joins a GPU to host memory beside PCIe, as NVML says it, or its name; empty where nothing does.
std::string beside_pcie(const Plan& plan, const GpuLinks& links) {
    const auto gpu = std::find_if(plan.gpus.begin(), plan.gpus.end(),
                                  [&](const Gpu& one) { return one.index == links.gpu; });
    const std::string name = gpu == plan.gpus.end() ? "" : one_line(gpu->name, 60);
    if (!links.host_link.empty())
        return format("gpu{} reaches host memory beside PCIe: {}", links.gpu, one_line(links.host_link, 100));
    // GH200, GB200, GB10 and those to come: a chip of the processor and one of the graphics in one package.
    for (const std::string_view family : {"GH", "GB"}) {
        const std::size_t at = name.find(family);
        const bool begins = at != std::string::npos && (at == 0 || name[at - 1] == ' ');
        if (begins && at + 3 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 2])) != 0)
            return format("gpu{} reaches host memory beside PCIe: its name is {}", links.gpu, name);
    }
    return "";
}

bool leads_to(const NvLink& link, const std::string& peer_bus_id) {
    return link.active &&
           (link.remote_kind == "switch" || (link.remote_kind == "gpu" && link.remote == peer_bus_id));
}

// The links of one GPU that end in the other, or in a switch that every GPU's links end in.
Ceiling nvlink_of(const GpuLinks& gpu, const std::string& peer_bus_id) {
    double mb_per_s = 0;
    int count = 0;
    bool silent = false;
    for (const NvLink& link : gpu.nvlinks) {
        if (!leads_to(link, peer_bus_id)) continue;
        ++count;
        mb_per_s += link.mb_per_s;
        silent = silent || link.mb_per_s <= 0;
    }
    if (count == 0) return {};
    Ceiling ceiling{.narrowest = format("NVLink, {} links of gpu{}", count, gpu.gpu)};
    if (silent) {
        ceiling.unknown = "NVML does not say how fast the NVLinks are";
        return ceiling;
    }
    ceiling.gb_per_s = ceiling.hard_gb_per_s = mb_per_s / 1e3;
    return ceiling;
}

// Why NVLink to the other GPU cannot be ruled out; empty where it can, or is there. The ceiling of PCIe says
// nothing of a path that may not be PCIe.
std::string nvlink_doubt(const GpuLinks& gpu, const std::string& peer_bus_id) {
    if (!gpu.nvlink_unknown.empty()) return "NVLink: " + one_line(gpu.nvlink_unknown, 120);
    for (const NvLink& link : gpu.nvlinks) {
        if (link.active && !leads_to(link, peer_bus_id) && link.remote_kind == "unknown")
            return format("NVLink {} is active, and NVML does not say what is at its other end", link.link);
    }
    return "";
}

}  // namespace

int nvlinks_between(const Plan& plan, int gpu, int other) {
    const GpuLinks* links = links_of(plan, gpu);
    if (links == nullptr) return 0;
    return static_cast<int>(
        std::count_if(links->nvlinks.begin(), links->nvlinks.end(), [&](const NvLink& link) {
            return leads_to(link, plan.gpus.at(static_cast<std::size_t>(other)).bus_id);
        }));
}

Ceiling pcie_ceiling(std::optional<double> gt_per_s, std::optional<int> lanes) {
    if (!gt_per_s) return unknown("its rate is not known");
    if (!lanes) return unknown("its number of lanes is not known");
    for (const Generation& generation : generations) {
        if (std::abs(generation.gt_per_s - *gt_per_s) > 0.01) continue;
        const double raw = *gt_per_s * *lanes / 8;
        return {.gb_per_s = raw * generation.coding, .hard_gb_per_s = raw * generation.hard};
    }
    return unknown(format("{:g} GT/s is no rate of PCI Express", *gt_per_s));
}

DrawnPath direct_path(const Plan& plan, int source, int destination, Reading reading, const Observed& seen) {
    const GpuLinks *a = links_of(plan, source), *b = links_of(plan, destination);
    if (a == nullptr || b == nullptr) return {.ceiling = unknown("the links were not read")};
    const auto bus_id = [&](int gpu) { return plan.gpus.at(static_cast<std::size_t>(gpu)).bus_id; };
    const Ceiling out = nvlink_of(*a, bus_id(destination)), in = nvlink_of(*b, bus_id(source));
    if (!out.narrowest.empty() && !in.narrowest.empty()) {
        DrawnPath path{.over = "NVLink"};
        const bool smaller = out.known() && in.known() && *in.gb_per_s < *out.gb_per_s;
        path.ceiling = smaller || !in.known() ? in : out;
        return path;
    }
    for (const GpuLinks* gpu : {a, b}) {
        const std::string why = nvlink_doubt(*gpu, bus_id(gpu == a ? destination : source));
        if (!why.empty()) return {.ceiling = unknown(format("gpu{}: {}", gpu->gpu, why))};
    }
    if (!out.narrowest.empty() || !in.narrowest.empty())
        return {.ceiling = unknown("one GPU says that NVLink joins them, and the other that none does")};
    for (const GpuLinks* gpu : {a, b}) {
        const std::string beside = beside_pcie(plan, *gpu);
        if (!beside.empty()) return {.ceiling = unknown(beside)};
    }
    if (!a->unknown.empty())
        return {.ceiling = unknown(format("gpu{}: {}", source, one_line(a->unknown, 120)))};
    if (!b->unknown.empty())
        return {.ceiling = unknown(format("gpu{}: {}", destination, one_line(b->unknown, 120)))};
    DrawnPath path;
    const auto [up, down] = apart(*a, *b, path.over);
    const Doubts doubts = doubts_of({a, b});
    for (const Hop& hop : up) path.hops.push_back(drawn(hop, source, reading, seen, doubts));
    for (auto hop = down.rbegin(); hop != down.rend(); ++hop)
        path.hops.push_back(drawn(*hop, destination, reading, seen, doubts));
    path.up = up.size();
    path.ceiling = least_of(path.hops);
    if (path.over == root_complex && !a->root.empty() && !b->root.empty() && a->root != b->root)
        between_roots(*a, *b, path);
    return path;
}

DrawnPath staged_path(const Plan& plan, int source, int destination, Reading reading, const Observed& seen) {
    const DrawnPath up = host_path(plan, source, reading, seen),
                    down = host_path(plan, destination, reading, seen);
    DrawnPath path{.hops = up.hops, .up = up.hops.size(), .over = "host memory"};
    path.hops.insert(path.hops.end(), down.hops.rbegin(), down.hops.rend());
    path.ceiling = !up.ceiling.known()     ? up.ceiling
                   : !down.ceiling.known() ? down.ceiling
                                           : least_of(path.hops);
    return path;
}

DrawnPath host_path(const Plan& plan, int gpu, Reading reading, const Observed& seen) {
    const GpuLinks* links = links_of(plan, gpu);
    if (links == nullptr) return {.ceiling = unknown("the links were not read")};
    DrawnPath path{.up = links->hops.size(), .over = root_complex};
    const Doubts doubts = doubts_of({links});
    for (const Hop& hop : links->hops) path.hops.push_back(drawn(hop, gpu, reading, seen, doubts));
    path.ceiling = least_of(path.hops);
    if (!links->unknown.empty())
        path.ceiling = unknown(format("gpu{}: {}", gpu, one_line(links->unknown, 120)));
    if (const std::string beside = beside_pcie(plan, *links); !beside.empty()) path.ceiling = unknown(beside);
    return path;
}

}  // namespace peerproof
