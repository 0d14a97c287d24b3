// [hints], [[hint]]: what is said of the machine, of a GPU and of a pair.
#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {
namespace {

void read_gpu_hints(Table& table, GpuSaid& said) {
    table.integer("bar1_mib", said.bar1_mib, 1, 1 << 20);
    table.word<int>("compute_mode", said.compute_mode, {{"default", 0}, {"prohibited", 2}, {"exclusive", 3}});
    table.word<int>("mig", said.mig, {{"off", 0}, {"on", 1}});
    table.word<int>("virtualisation", said.virtualisation, {{"none", 0}, {"pass-through", 1}, {"vGPU", 2}});
}

void read_pair_hints(Table& table, Path& path) {
    using Byte = std::uint8_t;
    table.word<Byte>("p2p_status", path.p2p_status,
                     {{"OK", 0}, {"CNS", 1}, {"GNS", 2}, {"TNS", 3}, {"DR", 4}, {"NS", 5}, {"U", 6}});
    table.word<Byte>("topology", path.topology,
                     {{"PIX", 10}, {"PXB", 20}, {"PHB", 30}, {"NODE", 40}, {"SYS", 50}});
}

void read_one_hint(Table& table, Bench& bench) {
    if (table.has("gpu")) {
        const int index = table.needed_index("gpu", bench.count);
        GpuSaid unused;
        read_gpu_hints(table, unused);
        for (int i = 0; i < bench.count; ++i) {
            if (is_meant(index, i)) read_gpu_hints(table, bench.gpus[i].said);
        }
    } else {
        if (!table.has("from") || !table.has("to"))
            fail(table.toml().source(), "[[hint]] must have 'gpu', or 'from' and 'to'");
        const int from = table.needed_index("from", bench.count), to = table.needed_index("to", bench.count);
        Path unused;
        read_pair_hints(table, unused);
        for_each_path(bench, from, to, [&](Path& path) { read_pair_hints(table, path); });
    }
    table.no_other_keys();
}

}  // namespace

void read_hints(Table& root, Bench& bench) {
    if (std::optional<Table> hints = root.table("hints")) {
        Said& said = bench.said;
        hints->word<bool>("nvml", said.nvml, {{"present", true}, {"absent", false}});
        hints->text("driver_version", said.driver_version, sizeof said.driver_version);
        hints->text("vbios", said.vbios, sizeof said.vbios);
        hints->text("bios_version", said.bios_version, sizeof said.bios_version);
        GpuSaid of_each;
        read_gpu_hints(*hints, of_each);
        for (int i = 0; i < bench.count; ++i) bench.gpus[i].said = of_each;
        Path unused;
        read_pair_hints(*hints, unused);
        for_each_path(bench, -1, -1, [&](Path& path) { read_pair_hints(*hints, path); });
        hints->no_other_keys();
    }
    for (Table& each : root.tables("hint")) read_one_hint(each, bench);
}

}  // namespace peerproof::simulated
