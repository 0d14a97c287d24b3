// [[health]]: what is read of the GPUs' health.
#include <algorithm>
#include <string>

#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {
namespace {

void read_one(Table& table, Health& health) {
    table.word<bool>("nvml", health.nvml, {{"says", true}, {"does_not_say", false}});
    table.word<bool>("aer", health.aer, {{"says", true}, {"does_not_say", false}});
    table.number("temperature_c", health.temperature, -50, 150);
    table.number("temperature_per_gib", health.temperature_per_gib, 0, 1e9);
    table.number("temperature_per_s", health.temperature_per_s, 0, 1e9);
    table.number("temperature_most_c", health.most_temperature, -50, 150);
    table.integer("sm_clock_mhz", health.sm_clock, 1, 10'000);
    table.integer("memory_clock_mhz", health.memory_clock, 1, 20'000);
    table.number("power_w", health.power, 0, 10'000);
    table.number("throttles_above_c", health.throttles_above, -50, 200);
    constexpr const char* names[counters] = {"pcie_replays",   "ecc_corrected",       "ecc_uncorrected",
                                             "nvlink_replays", "aer_correctable",     "aer_nonfatal",
                                             "aer_fatal",      "aer_port_correctable"};
    for (int i = 0; i < counters; ++i) {
        table.number(names[i], health.starts[i], 0, 1e9);
        table.number(std::string(names[i]) + "_per_gib", health.per_gib[i], 0, 1e12);
    }
    table.integer("xid", health.xid, 1, 1000);
    table.integer("xid_after_bytes", health.xid_after, 0, std::int64_t{1} << 50);
}

}  // namespace

void read_health(Table& root, Bench& bench) {
    for (Table& each : root.tables("health")) {
        const int gpu = each.needed_index("gpu", bench.count);
        Health unused;
        read_one(each, unused);
        for (int i = 0; i < bench.count; ++i) {
            if (is_meant(gpu, i)) read_one(each, bench.gpus[i].health);
        }
        each.no_other_keys();
        const bool gets_hot = unused.temperature_per_gib != 0;
        const bool counts =
            std::any_of(unused.per_gib, unused.per_gib + counters, [](double d) { return d != 0; });
        bench.counts_all = bench.counts_all || gets_hot || counts || unused.xid != 0;
        for (const Counter one : {Counter::aer_correctable, Counter::aer_nonfatal, Counter::aer_fatal,
                                  Counter::aer_port_correctable})
            bench.counts_errors = bench.counts_errors || unused.per_gib[static_cast<int>(one)] != 0;
    }
}

}  // namespace peerproof::simulated
