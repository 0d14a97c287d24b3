// The links of the GPUs as the machine describes them, hop by hop: read once while the bench is listed
// (idle), and again while a measurement is taken (under load). Numbers only; what a link can carry is computed
// from them in reports/judging/ceilings.hpp.
//
// PCIe: GT/s of one lane (2.5, 5, 8, 16, 32, 64) and lanes. NVLink: MB/s (1e6) of one link one way, as NVML
// says. What cannot be read is unknown, with the reason, and never a number. Sources: /sys/bus/pci/devices
// (current_link_speed, current_link_width, max_...), NVML.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace peerproof {

class Member;

// Ports whose numbers are not those of a link: "virtual root port (QEMU)", "tunnelled root port".
inline constexpr const char *virtual_port = "virtual ", *tunnelled_port = "tunnelled ";

// One PCI device of the way up, and the link above it.
struct Hop {
    std::string device;  // "0000:01:00.0"
    // "gpu", "switch port", "root port", or what its class says; some ports begin with the words above.
    std::string kind;
    std::optional<double> speed, max_speed;  // GT/s a lane
    std::optional<int> lanes, max_lanes;
    std::string unknown;  // why a number is missing; empty where all are there
    std::string source;   // the folder it was read from
};

struct NvLink {
    int link = 0;
    bool active = false;
    double mb_per_s = 0;      // one way; 0 where NVML does not say
    std::string remote;       // bus id of the device at the other end
    std::string remote_kind;  // "gpu", "switch", "other", "unknown"
};

struct GpuLinks {
    int gpu = 0;            // plan index
    std::vector<Hop> hops;  // the GPU first, the root port last
    std::string root;       // what is above the last hop: "pci0000:00"
    std::string unknown;    // why the way up is not whole; empty where it is
    std::vector<NvLink> nvlinks;
    std::string nvlink_unknown;  // why nothing is known of NVLink; empty where it is
    std::string nvlink_source;
    // What joins it to host memory beside PCIe, "C2C (NVML)"; empty where nothing is known to.
    std::string host_link;
};

// A PCIe link as it was while bytes were moving over it.
struct LinkUnderLoad {
    int gpu = 0;
    Hop hop;
};

nlohmann::json to_json(const Hop&);
nlohmann::json to_json(const GpuLinks&);
nlohmann::json to_json(const LinkUnderLoad&);
GpuLinks gpu_links_from(const Member&, bool is_of_version_2);
LinkUnderLoad link_under_load_from(const Member&);

}  // namespace peerproof
