// What a link can carry one way, from the numbers of session/links.hpp. GB/s is 1e9 bytes a second. Pure.
//
//   ceiling [GB/s] = rate of a lane [GT/s] x lanes x coding / 8, the least over every hop between two GPUs
//   pcie_ceiling(5, 4).gb_per_s == 2.0
//
// Two numbers: the ceiling after line coding, and the hard limit, which is the highest rate that any reading
// of the standard allows. They differ for generation 6 alone, where people count the flits differently: for
// sixteen lanes 121.0, 126.0 and the raw 128 GB/s are all in use. An unknown ceiling is unknown with its
// reason, and never a pass.
//
// Not every link is what sysfs says. Unknown are, with the reason: ports that tunnel (USB4, Thunderbolt) or
// that a virtual machine makes up, ports that contradict themselves, host memory that is reached beside PCIe
// (C2C), what lies between two root complexes, and a hop that verified transfers to host memory went faster
// over than it says it can. README.md has the rule.
//
// Sources: PCI Express Base Specification (8b/10b to gen 2, 128b/130b to gen 5, 242 of 256 bytes of a flit in
// gen 6); NVLink from the speed of a link that NVML reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/plan.hpp"
#include "session/record.hpp"

namespace peerproof {

struct Ceiling {
    std::optional<double> gb_per_s;
    // Also there where the ceiling is unknown for a part of the path that can only make it lower.
    std::optional<double> hard_gb_per_s;
    std::string narrowest;  // "0000:00:01.0 (5 GT/s x4)", "NVLink, 4 links to gpu1"
    std::string unknown;    // why there is no number

    bool known() const { return gb_per_s.has_value(); }
};

// Of one hop. Unknown where rate or lanes are, or the rate is of no generation.
Ceiling pcie_ceiling(std::optional<double> gt_per_s, std::optional<int> lanes);

// How a hop was read: as it was while idle; under load, or the most that it says it can where it was not read
// then; or the most.
enum class Reading { idle, under_load, most };

struct DrawnHop {
    Hop hop;
    Ceiling ceiling;
};

// The path between two GPUs, hop by hop in the order of the way: up from the source, down to the
// destination.
struct DrawnPath {
    std::vector<DrawnHop> hops;
    std::size_t up = 0;  // the first so many are above the source, the others above the destination
    std::string over;    // "NVLink", "the bridge 0000:02:00.0", "the root complex"
    Ceiling ceiling;     // the least of the hops
};

// The fastest transfer between a GPU and host memory whose every byte host and GPU verified, GB/s.
struct HostSpeed {
    int gpu = 0;
    double gb_per_s = 0;
};

// What was seen of the links while measurements were taken.
struct Observed {
    // With Reading::under_load they replace the idle links of the same devices.
    std::vector<LinkUnderLoad> loads = {};
    std::vector<HostSpeed> host = {};  // a hop that says less than this is no ceiling
};

// A measurement and a ceiling that are equal but for this are no contradiction.
inline constexpr double rounding = 1.001;

// The path that a kernel's access takes: NVLink where links between the two are active, else PCIe.
DrawnPath direct_path(const Plan& plan, int source, int destination, Reading reading,
                      const Observed& seen = {});
// Through host memory: up to the root and down again.
DrawnPath staged_path(const Plan& plan, int source, int destination, Reading reading,
                      const Observed& seen = {});
// The active NVLinks of a GPU that lead to the other, or to a switch.
int nvlinks_between(const Plan& plan, int gpu, int other);

// From a GPU to the root.
DrawnPath host_path(const Plan& plan, int gpu, Reading reading, const Observed& seen = {});

}  // namespace peerproof
