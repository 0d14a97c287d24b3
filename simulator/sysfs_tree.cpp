#include "simulator/sysfs_tree.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace peerproof::simulated {
namespace {

namespace fs = std::filesystem;

std::string text(const char* format, int a, int b, int c, int d) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, a, b, c, d);
    return buffer;
}

std::string gpu_name(const Gpu& gpu) { return text("%04x:%02x:%02x.%d", gpu.domain, gpu.bus, gpu.device, 0); }
std::string root_name(const Gpu& gpu) { return text("pci%04x:%02x", gpu.domain, 0x20 * gpu.link.root, 0, 0); }
// Of a GPU, or of a switch behind all GPUs.
std::string root_port(const Gpu& gpu, int index) {
    return text("%04x:%02x:%02x.%d", gpu.domain, 0x20 * gpu.link.root, 1 + index % 31, index / 31);
}
std::string upstream_port(const Gpu& gpu) {
    return text("%04x:%02x:%02x.%d", gpu.domain, 0xe0 + gpu.link.behind, 0, 0);
}
std::string downstream_port(const Gpu& gpu, int index) {
    return text("%04x:%02x:%02x.%d", gpu.domain, 0xf0 + gpu.link.behind, index % 32, index / 32);
}
// The two ports of a box of its own.
std::string box_port(const Gpu& gpu, int index, int bus) {
    return text("%04x:%02x:%02x.%d", gpu.domain, bus, index % 32, index / 32);
}

void write(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
}

const char* rate_text(int gen) {
    constexpr const char* rates[] = {"2.5 GT/s PCIe",  "5.0 GT/s PCIe",  "8.0 GT/s PCIe",
                                     "16.0 GT/s PCIe", "32.0 GT/s PCIe", "64.0 GT/s PCIe"};
    return rates[gen - 1];
}

int or_else(int value, int otherwise) { return value != 0 ? value : otherwise; }

void write_link(const fs::path& folder, const char* which, int gen, int lanes) {
    write(folder / (std::string(which) + "_link_speed"), std::string(rate_text(gen)) + "\n");
    write(folder / (std::string(which) + "_link_width"), std::to_string(lanes) + "\n");
}

// 4 KiB of configuration space with the one capability that is read from it: access control services.
std::string configuration(bool redirects) {
    std::string space(4096, '\0');
    space[0x100] = 0x0d;
    space[0x102] = 0x01;
    space[0x106] =
        redirects ? 0x1d : 0x00;  // source validation, request and completion redirect, upstream forwarding
    return space;
}

void write_device(const fs::path& folder, const char* code, int gen, int lanes, int most_gen,
                  int most_lanes) {
    fs::create_directories(folder);
    write(folder / "class", std::string(code) + "\n");
    write_link(folder, "current", gen, lanes);
    write_link(folder, "max", most_gen, most_lanes);
}

// The folder of a GPU below devices/, and those of the ports above it.
struct Branch {
    fs::path gpu, port;  // port: empty in a virtual machine
    std::vector<fs::path> above;
};

Branch way_of(const Bench& bench, const fs::path& sys, int gpu) {
    const Gpu& one = bench.gpus[gpu];
    const fs::path root = sys / "devices" / root_name(one);
    if (!bench.said.bridges) return {root / gpu_name(one), {}, {}};
    if (one.link.tunnelled) {
        const fs::path top = root / root_port(one, gpu), up = top / box_port(one, gpu, 0xd8),
                       down = up / box_port(one, gpu, 0xda);
        return {down / gpu_name(one), down, {top, up, down}};
    }
    if (one.link.behind < 0) {
        const fs::path port = root / root_port(one, gpu);
        return {port / gpu_name(one), port, {port}};
    }
    const fs::path top = root / root_port(one, max_gpus + one.link.behind), up = top / upstream_port(one),
                   down = up / downstream_port(one, gpu);
    return {down / gpu_name(one), down, {top, up, down}};
}

// Both ends of a tunnel say generation 1 and four lanes, by the standard; what is behind it can be taken
// away.
constexpr Switch tunnel{1, 4, 0};

void make_box(const Branch& way) {
    for (const fs::path& inside : {way.above[1], way.above[2], way.gpu})
        write(inside / "removable", "removable\n");
}

const char* vendor_of(PortOf port) { return port == PortOf::qemu ? "0x1b36\n" : "0x15ad\n"; }

void make_gpu(const Bench& bench, const fs::path& sys, int gpu) {
    const Link& link = bench.gpus[gpu].link;
    const Branch way = way_of(bench, sys, gpu);
    const int most_gen = or_else(link.most_gen, link.gen), most_lanes = or_else(link.most_lanes, link.lanes);
    if (link.behind >= 0 || link.tunnelled) {
        const Switch& above = link.tunnelled ? tunnel : bench.switches[link.behind];
        for (std::size_t i = 0; i + 1 < way.above.size(); ++i)
            write_device(way.above[i], "0x060400", above.gen, above.lanes, above.gen, above.lanes);
    }
    if (!way.port.empty()) {
        write_device(way.port, "0x060400", or_else(link.port_gen, link.gen),
                     or_else(link.port_lanes, link.lanes),
                     or_else(link.port_most_gen, or_else(link.port_gen, most_gen)),
                     or_else(link.port_most_lanes, or_else(link.port_lanes, most_lanes)));
        if (link.port_of != PortOf::machine) write(way.port / "vendor", vendor_of(link.port_of));
    }
    for (const fs::path& bridge : way.above) write(bridge / "config", configuration(link.acs_redirects));
    write_device(way.gpu, "0x030200", link.gen, link.lanes, most_gen, most_lanes);
    if (link.tunnelled && bench.said.bridges) make_box(way);
    if (link.numa_node >= 0) write(way.gpu / "numa_node", std::to_string(link.numa_node) + "\n");
    fs::create_directories(sys / "bus/pci/devices");
    fs::create_symlink(fs::relative(way.gpu, sys / "bus/pci/devices"),
                       sys / "bus/pci/devices" / way.gpu.filename());
    if (link.iommu_group < 0) return;
    const fs::path group = sys / "kernel/iommu_groups" / std::to_string(link.iommu_group);
    fs::create_directories(group / "devices");
    constexpr const char* types[] = {"", "identity\n", "DMA\n", "DMA-FQ\n"};
    if (link.iommu_type != Domain::unsaid) write(group / "type", types[static_cast<int>(link.iommu_type)]);
    fs::create_directory_symlink(fs::relative(group, way.gpu), way.gpu / "iommu_group");
}

// The files of a device, as the kernel writes them: a line for each kind of error, and the total. Each is whole
// whenever somebody reads it.
struct Errors {
    std::uint64_t correctable = 0, nonfatal = 0, fatal = 0;
    bool operator==(const Errors&) const = default;
};

void write_errors(const fs::path& device, const char* name, std::initializer_list<const char*> kinds,
                  const char* counted, const char* total, std::uint64_t count) {
    std::string content;
    for (const char* kind : kinds)
        content += std::string(kind) + ' ' +
                   (std::string_view(kind) == counted ? std::to_string(count) : "0") + '\n';
    const fs::path file = device / name, unfinished = file.string() + '.' + std::to_string(::getpid());
    write(unfinished, content + total + ' ' + std::to_string(count) + '\n');
    std::error_code ignored;
    fs::rename(unfinished, file, ignored);
}

void write_errors(const fs::path& device, const Errors& errors) {
    const std::initializer_list<const char*> uncorrectable{"Undefined",     "DLP",
                                                           "SDES",          "TLP",
                                                           "FCP",           "CmpltTO",
                                                           "CmpltAbrt",     "UnxCmplt",
                                                           "RxOF",          "MalfTLP",
                                                           "ECRC",          "UnsupReq",
                                                           "ACSViol",       "UncorrIntErr",
                                                           "BlockedTLP",    "AtomicOpBlocked",
                                                           "TLPBlockedErr", "PoisonTLPBlocked"};
    write_errors(
        device, "aer_dev_correctable",
        {"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr", "CorrIntErr", "HeaderOF"},
        "BadTLP", "TOTAL_ERR_COR", errors.correctable);
    write_errors(device, "aer_dev_nonfatal", uncorrectable, "CmpltTO", "TOTAL_ERR_NONFATAL", errors.nonfatal);
    write_errors(device, "aer_dev_fatal", uncorrectable, "MalfTLP", "TOTAL_ERR_FATAL", errors.fatal);
}

void make_errors(const Bench& bench, const fs::path& sys, int gpu) {
    if (!bench.gpus[gpu].health.aer) return;
    const auto start = [&](Counter which) {
        return static_cast<std::uint64_t>(bench.gpus[gpu].health.starts[static_cast<int>(which)]);
    };
    const Branch way = way_of(bench, sys, gpu);
    write_errors(way.gpu,
                 {start(Counter::aer_correctable), start(Counter::aer_nonfatal), start(Counter::aer_fatal)});
    if (!way.port.empty()) write_errors(way.port, {start(Counter::aer_port_correctable)});
}

}  // namespace

void show_errors(const Bench& bench, const std::string& folder, const History& history) {
    static Errors shown[max_gpus], shown_of_ports[max_gpus];
    for (int gpu = 0; bench.said.sysfs && gpu < bench.count; ++gpu) {
        if (!bench.gpus[gpu].health.aer) continue;
        const auto now = [&](Counter which) {
            return counter(bench.gpus[gpu].health, so_far(bench, history, gpu), which);
        };
        const Errors own{now(Counter::aer_correctable), now(Counter::aer_nonfatal), now(Counter::aer_fatal)},
            of_port{now(Counter::aer_port_correctable)};
        if (own == shown[gpu] && of_port == shown_of_ports[gpu]) continue;
        const Branch way = way_of(bench, folder, gpu);
        write_errors(way.gpu, shown[gpu] = own);
        if (!way.port.empty()) write_errors(way.port, shown_of_ports[gpu] = of_port);
    }
}

void show_links(const Bench& bench, const std::string& folder, bool loaded) {
    for (int gpu = 0; bench.said.sysfs && gpu < bench.count; ++gpu) {
        const Link& link = bench.gpus[gpu].link;
        const int idle_gen = or_else(link.idle_gen, link.gen),
                  idle_lanes = or_else(link.idle_lanes, link.lanes);
        if (idle_gen == link.gen && idle_lanes == link.lanes) continue;
        const Branch way = way_of(bench, folder, gpu);
        for (const fs::path& end : {way.gpu, way.port}) {
            if (!end.empty())
                write_link(end, "current", loaded ? link.gen : idle_gen, loaded ? link.lanes : idle_lanes);
        }
    }
}

void make_sysfs(const Bench& bench, const std::string& folder) {
    std::error_code error;
    if (!bench.said.sysfs || fs::exists(folder, error)) return;
    const fs::path unfinished = folder + "." + std::to_string(::getpid());
    try {
        fs::create_directories(unfinished / "kernel/iommu_groups");
        const fs::path firmware = unfinished / "class/dmi/id";
        fs::create_directories(firmware);
        write(firmware / "bios_vendor", "Simulated BIOS\n");
        write(firmware / "bios_version", std::string(bench.said.bios_version) + "\n");
        for (int gpu = 0; gpu < bench.count; ++gpu) {
            make_gpu(bench, unfinished, gpu);
            make_errors(bench, unfinished, gpu);
        }
        show_links(bench, unfinished.string(), false);
    } catch (const fs::filesystem_error& trouble) {
        std::fprintf(stderr, "peerproof simulated bench: no sysfs: %s\n", trouble.what());
    }
    fs::rename(unfinished, folder, error);
    if (error) fs::remove_all(unfinished, error);  // another process was first
}

}  // namespace peerproof::simulated
