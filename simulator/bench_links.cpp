// [links], [[link]], [[switch]], [[nvlink]]: what is between the GPUs. [speeds], [[speed]]: what it carries.
#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {
namespace {

void read_link(Table& table, Link& link, int switches) {
    table.integer("gen", link.gen, 1, 6);
    table.integer("lanes", link.lanes, 1, 32);
    table.integer("idle_gen", link.idle_gen, 1, 6);
    table.integer("idle_lanes", link.idle_lanes, 1, 32);
    table.integer("most_gen", link.most_gen, 1, 6);
    table.integer("most_lanes", link.most_lanes, 1, 32);
    table.integer("port_gen", link.port_gen, 1, 6);
    table.integer("port_lanes", link.port_lanes, 1, 32);
    table.integer("port_most_gen", link.port_most_gen, 1, 6);
    table.integer("port_most_lanes", link.port_most_lanes, 1, 32);
    table.word<PortOf>("port_of", link.port_of,
                       {{"machine", PortOf::machine}, {"QEMU", PortOf::qemu}, {"VMware", PortOf::vmware}});
    table.boolean("tunnelled", link.tunnelled);
    table.word<bool>("host_link", link.c2c, {{"pcie", false}, {"c2c", true}});
    table.integer("root", link.root, 0, max_roots - 1);
    table.integer("numa_node", link.numa_node, 0, 255);
    table.integer("behind", link.behind, 0, switches - 1);
    table.integer("iommu_group", link.iommu_group, 0, 1000);
    table.word<Domain>("iommu_type", link.iommu_type,
                       {{"identity", Domain::identity}, {"DMA", Domain::dma}, {"DMA-FQ", Domain::dma_fq}});
    table.boolean("acs_redirects", link.acs_redirects);
    table.integer("nvlinks", link.nvlinks, 0, max_nvlinks);
    table.number("nvlink_mb_per_s", link.nvlink_mb_per_s, 0, 1e6);
    table.word<bool>("nvlink_to", link.nvlink_to_switch, {{"switch", true}, {"peers", false}});
}

void read_gpu_speed(Table& table, Gpu& gpu) {
    table.number("memory_gb_s", gpu.memory_speed, 0.001, 1e5);
    table.number("memory_us", gpu.memory_latency, 0.001, 1e5);
    table.number("host_to_device_gb_s", gpu.host_in, 0.001, 1e5);
    table.number("device_to_host_gb_s", gpu.host_out, 0.001, 1e5);
}

void read_bandwidth(Table& table, Path& path) {
    table.number("direct_gb_s", path.direct, 0.001, 1e5);
    table.number("copy_gb_s", path.copy_bandwidth, 0.001, 1e5);
    table.number("staged_gb_s", path.staged_copy_bandwidth, 0.001, 1e5);
    table.number("bidirectional_gb_s", path.bidirectional, 0.001, 1e5);
    table.number("bidirectional_staged_gb_s", path.bidirectional_staged, 0.001, 1e5);
    table.number("latency_us", path.latency, 0.001, 1e5);
    table.number("noise", path.noise, 0, 0.5);
}

void read_switches(Table& root, Bench& bench) {
    for (Table& each : root.tables("switch")) {
        if (bench.switch_count == max_switches)
            fail(each.toml().source(), "at most " + std::to_string(max_switches) + " [[switch]] tables");
        Switch& one = bench.switches[bench.switch_count++];
        each.integer("gen", one.gen, 1, 6);
        each.integer("lanes", one.lanes, 1, 32);
        each.number("gb_s", one.gb_per_s, 0.001, 1e5);
        each.no_other_keys();
    }
}

void read_gpus_links(Table& root, Bench& bench) {
    if (std::optional<Table> table = root.table("links")) {
        Link link;
        read_link(*table, link, bench.switch_count);
        table->boolean("bridges", bench.said.bridges);
        table->boolean("sysfs", bench.said.sysfs);
        table->no_other_keys();
        for (int i = 0; i < bench.count; ++i) bench.gpus[i].link = link;
    }
    for (Table& each : root.tables("link")) {
        const int index = each.needed_index("gpu", bench.count);
        for (int i = 0; i < bench.count; ++i) {
            if (is_meant(index, i)) read_link(each, bench.gpus[i].link, bench.switch_count);
        }
        each.no_other_keys();
    }
}

// Links between two GPUs by name, behind those that [links] gives each of them.
void read_nvlinks(Table& root, Bench& bench) {
    for (Table& each : root.tables("nvlink")) {
        const int from = each.needed_index("from", bench.count), to = each.needed_index("to", bench.count);
        int count = 1;
        each.integer("count", count, 1, max_nvlinks);
        if (from < 0 || to < 0 || from == to)
            fail(each.toml().source(), "[[nvlink]]: 'from' and 'to' must be the indices of two GPUs");
        for (const auto& [gpu, peer] : {std::pair{from, to}, std::pair{to, from}}) {
            Link& link = bench.gpus[gpu].link;
            if (link.nvlinks + count > max_nvlinks)
                fail(each.toml().source(),
                     "[[nvlink]]: a GPU has at most " + std::to_string(max_nvlinks) + " links");
            for (int i = 0; i < count; ++i)
                link.nvlink_peer[link.nvlinks++] = static_cast<std::int8_t>(peer + 1);
        }
        each.no_other_keys();
    }
}

// A switch hangs on one root port, and a box of its own is behind no other switch.
void check_places(Table& root, const Bench& bench) {
    for (int i = 0; i < bench.count; ++i) {
        const Gpu& gpu = bench.gpus[i];
        if (gpu.link.behind >= 0 && gpu.link.tunnelled)
            fail(root.toml().source(), "a GPU that is 'tunnelled' cannot be 'behind' a switch as well");
        for (int j = 0; j < i && gpu.link.behind >= 0; ++j) {
            const Gpu& other = bench.gpus[j];
            if (other.link.behind == gpu.link.behind &&
                (other.link.root != gpu.link.root || other.domain != gpu.domain))
                fail(root.toml().source(),
                     "GPUs that are 'behind' one switch must have one 'root' and one domain in their "
                     "'bus_id'");
        }
    }
}

void read_speeds(Table& root, Bench& bench) {
    if (std::optional<Table> table = root.table("speeds")) {
        for_each_path(bench, -1, -1, [&](Path& path) { read_bandwidth(*table, path); });
        Path unused;
        read_bandwidth(*table, unused);  // also with one GPU: its values are still checked
        for (int i = 0; i < bench.count; ++i) read_gpu_speed(*table, bench.gpus[i]);
        Gpu none;
        read_gpu_speed(*table, none);
        table->no_other_keys();
    }
    for (Table& each : root.tables("speed")) {
        const int from = each.needed_index("from", bench.count), to = each.needed_index("to", bench.count);
        for_each_path(bench, from, to, [&](Path& path) { read_bandwidth(each, path); });
        each.no_other_keys();
    }
}

}  // namespace

void read_links(Table& root, Bench& bench) {
    read_switches(root, bench);
    read_gpus_links(root, bench);
    read_nvlinks(root, bench);
    check_places(root, bench);
    read_speeds(root, bench);
}

}  // namespace peerproof::simulated
