#include "simulator/bench.hpp"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "simulator/kernel_registry.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {
namespace {

void read_path(Table& table, Path& path) {
    table.boolean("can_access", path.can_access);
    table.boolean("native_atomics", path.native_atomics);
    table.error_code("enable", path.enable);
    table.integer("enable_lag_ms", path.enable_lag_ms, 0, 60'000);
    table.word<bool>("mapped", path.always_mapped, {{"when_enabled", false}, {"always", true}});
    read_load(table, path.load);
    read_store(table, path.store);
    read_copy(table, "copy", path.copy, path.copy_error);
    read_copy(table, "staged", path.staged, path.staged_error);
    table.integer("copy_limit", path.copy_limit, 0, std::int64_t{1} << 40);
    std::int64_t window_mib = static_cast<std::int64_t>(path.window >> 20);
    table.integer("window_mib", window_mib, 0, 1 << 20);
    if (window_mib % 2 != 0)
        table.wrong("window_mib", *table.find("window_mib"), "even: a page of a GPU is 2 MiB");
    path.window = static_cast<std::uint64_t>(window_mib) << 20;
    table.word<Beyond>("beyond", path.beyond,
                       {{"wraps", Beyond::wraps}, {"faults", Beyond::faults}, {"dropped", Beyond::dropped}});
    table.boolean("first_operation_lost", path.first_operation_lost);
    table.boolean("staged_by_host", path.staged_by_host);
    table.word<Order>(
        "order", path.order,
        {{"kept", Order::kept}, {"flag_first", Order::flag_first}, {"load_early", Order::load_early}});
}

void read_gpu(Table& table, Gpu& gpu) {
    table.text("name", gpu.name, sizeof gpu.name);
    std::int64_t memory_mib = static_cast<std::int64_t>(gpu.memory >> 20);
    table.integer("memory_mib", memory_mib, 1024, 512 << 10);
    if (memory_mib % 2 != 0)
        table.wrong("memory_mib", *table.find("memory_mib"), "even: a page of a GPU is 2 MiB");
    gpu.memory = static_cast<std::uint64_t>(memory_mib) << 20;
    if (const toml::node* node = table.find("compute_capability")) {
        const auto value = node->value_exact<std::string>();
        if (!value || std::sscanf(value->c_str(), "%d.%d", &gpu.major, &gpu.minor) != 2)
            table.wrong("compute_capability", *node, "a text like \"9.0\"");
    }
    table.integer("multiprocessors", gpu.multiprocessors, 1, 1024);
    enum class Stores { real, dropped, dropped_above };
    Stores stores = !gpu.local_stores_dropped     ? Stores::real
                    : gpu.local_stores_limit == 0 ? Stores::dropped
                                                  : Stores::dropped_above;
    table.word<Stores>(
        "local_stores", stores,
        {{"real", Stores::real}, {"dropped", Stores::dropped}, {"dropped_above", Stores::dropped_above}});
    std::int64_t limit_mib = static_cast<std::int64_t>(gpu.local_stores_limit >> 20);
    table.integer("local_stores_mib", limit_mib, 2, 512 << 10);
    if (limit_mib % 2 != 0)
        table.wrong("local_stores_mib", *table.find("local_stores_mib"), "even: a page of a GPU is 2 MiB");
    if (stores == Stores::dropped_above && limit_mib == 0)
        table.wrong("local_stores", *table.find("local_stores"), "given a place by local_stores_mib");
    gpu.local_stores_dropped = stores != Stores::real;
    gpu.local_stores_limit =
        stores == Stores::dropped_above ? static_cast<std::uint64_t>(limit_mib) << 20 : 0;
    table.word<HostCopy>("host_copies", gpu.host_copies,
                         {{"right", HostCopy::right},
                          {"nothing", HostCopy::nothing},
                          {"flipped", HostCopy::flipped},
                          {"nothing_in", HostCopy::nothing_in}});
    table.error_code("malloc", gpu.malloc_error);
    table.error_code("context", gpu.context_error);
    table.word<Presence>(
        "present", gpu.present,
        {{"always", Presence::always}, {"listing", Presence::listing}, {"run", Presence::run}});
    table.boolean("vmm", gpu.vmm);
    table.boolean("fd_handles", gpu.fd_handles);
    table.boolean("memory_pools", gpu.memory_pools);
    table.integer("falls_off_after", gpu.falls_off_after, 0, 1'000'000);
    table.word<AfterHang>(
        "after_hang", gpu.after_hang,
        {{"recovers", AfterHang::recovers}, {"hangs", AfterHang::hangs}, {"errors", AfterHang::errors}});
}

void read_bus_id(Table& table, Gpu& gpu) {
    const toml::node* node = table.find("bus_id");
    if (node == nullptr) return;
    const auto value = node->value_exact<std::string>();
    unsigned domain = 0, bus = 0, device = 0, function = 0;
    int length = 0;
    if (!value ||
        std::sscanf(value->c_str(), "%4x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &length) != 4 ||
        static_cast<std::size_t>(length) != value->size() || function != 0 || device > 31)
        table.wrong("bus_id", *node, "a text like \"0000:41:00.0\"");
    gpu.domain = static_cast<int>(domain);
    gpu.bus = static_cast<int>(bus);
    gpu.device = static_cast<int>(device);
}

// From the names alone, so that it is the same on every machine and in every run.
void make_uuid(const Bench& bench, int index, std::uint8_t* uuid) {
    std::uint64_t state = 0xcbf29ce484222325;
    for (const char* c = bench.name; *c != 0; ++c)
        state = (state ^ static_cast<std::uint8_t>(*c)) * 0x100000001b3;
    state += static_cast<std::uint64_t>(index + 1) * 0x9e3779b97f4a7c15;
    for (int i = 0; i < 16; ++i) {
        state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9;
        uuid[i] = static_cast<std::uint8_t>(state >> 56);
    }
}

void read_gpus(Table& root, Bench& bench) {
    root.need("gpus");
    std::optional<Table> table = root.table("gpus");
    table->need("count");
    table->integer("count", bench.count, 0, max_gpus);
    Gpu defaults;
    read_gpu(*table, defaults);
    table->no_other_keys();
    for (int i = 0; i < bench.count; ++i) {
        Gpu& gpu = bench.gpus[i];
        gpu = defaults;
        gpu.bus = 1 + i * (bench.count <= 8 ? 0x20 : 4);
        make_uuid(bench, i, gpu.uuid);
    }
    for (Table& each : root.tables("gpu")) {
        const int index = each.needed_index("index", bench.count);
        for (int i = 0; i < bench.count; ++i) {
            if (index != -1 && index != i) continue;
            read_gpu(each, bench.gpus[i]);
            read_bus_id(each, bench.gpus[i]);
        }
        each.no_other_keys();
    }
    const auto bus_of = [](const Gpu& gpu) { return std::pair{gpu.domain, gpu.bus * 32 + gpu.device}; };
    for (int i = 1; i < bench.count; ++i) {
        if (bus_of(bench.gpus[i - 1]) >= bus_of(bench.gpus[i]))
            fail(root.toml().source(), "the bus ids of the GPUs must be different and rise with the index");
    }
}

void read_paths(Table& root, Bench& bench) {
    Path defaults;
    if (std::optional<Table> table = root.table("pairs")) {
        read_path(*table, defaults);
        table->no_other_keys();
    }
    for (int from = 0; from < bench.count; ++from) {
        for (int to = 0; to < bench.count; ++to) bench.paths[from][to] = defaults;
    }
    for (Table& each : root.tables("pair")) {
        const int from = each.needed_index("from", bench.count);
        const int to = each.needed_index("to", bench.count);
        Path unused;
        read_path(each, unused);  // also where no pair is meant: its values are still checked
        each.no_other_keys();
        for_each_path(bench, from, to, [&](Path& path) { read_path(each, path); });
    }
}

void read_machine(Table& root, Bench& bench) {
    for (int i = 0; i < bench.count; ++i) bench.fastest_first[i] = i;
    std::optional<Table> table = root.table("machine");
    if (!table) return;
    table->word<bool>("listing", bench.listing_hangs, {{"answers", false}, {"hangs", true}});
    table->integer("max_peers", bench.max_peers, 0, max_gpus);
    if (const toml::node* node = table->find("fastest_first")) {
        const toml::array* array = node->as_array();
        bool used[max_gpus] = {};
        int place = 0;
        const std::string allowed = "every index from 0 to " + std::to_string(bench.count - 1) + " once";
        if (array == nullptr || array->size() != static_cast<std::size_t>(bench.count))
            table->wrong("fastest_first", *node, allowed);
        for (const toml::node& each : *array) {
            const auto index = each.value_exact<std::int64_t>();
            if (!index || *index < 0 || *index >= bench.count || used[*index])
                table->wrong("fastest_first", each, allowed);
            used[*index] = true;
            bench.fastest_first[place++] = static_cast<int>(*index);
        }
    }
    table->no_other_keys();
}

void read_kernel_rules(Table& root, Bench& bench) {
    for (Table& each : root.tables("kernel")) {
        if (bench.kernel_rule_count == max_kernel_rules)
            fail(each.toml().source(), "at most " + std::to_string(max_kernel_rules) + " [[kernel]] tables");
        KernelRule& rule = bench.kernel_rules[bench.kernel_rule_count++];
        each.need("name");
        each.need("does");
        each.text("name", rule.name, sizeof rule.name);
        for (const auto& [earlier, today] : {std::pair{"chase", "pointer_chase"}, {"gate", "spin_gate"}}) {
            if (std::strcmp(rule.name, earlier) == 0) std::strcpy(rule.name, today);
        }
        if (find_kernel(rule.name) == nullptr)
            fail(each.find("name")->source(),
                 "[[kernel]]: there is no kernel '" + std::string(rule.name) + "' (kernels/ has the names)");
        rule.gpu = each.index("gpu", bench.count).value_or(-1);
        each.word<Deed>("does", rule.deed,
                        {{"nothing", Deed::nothing},
                         {"equal", Deed::equal},
                         {"crash", Deed::crash},
                         {"hang", Deed::hang},
                         {"fault", Deed::fault},
                         {"all_but_last", Deed::all_but_last},
                         {"last_only", Deed::last_only},
                         {"false_first", Deed::false_first},
                         {"first_outside", Deed::first_outside}});
        each.integer("after", rule.after, 0, 1'000'000);
        each.no_other_keys();
    }
}

}  // namespace

Bench* read_bench(const char* path) {
    name_file_for_messages(path);
    Bench* bench = new Bench;
    try {
        const toml::table parsed = toml::parse_file(path);
        Table root(parsed, "the file");
        const std::string name = std::filesystem::path(path).stem().string();
        if (name.empty() || name.size() >= sizeof bench->name)
            fail(parsed.source(), "the name of the file must have 1 to " +
                                      std::to_string(sizeof bench->name - 1) + " bytes before .toml");
        std::memcpy(bench->name, name.c_str(), name.size() + 1);
        check_expectation(root);
        read_gpus(root, *bench);
        read_paths(root, *bench);
        read_machine(root, *bench);
        read_kernel_rules(root, *bench);
        read_whens(root, *bench);
        read_ways(root, *bench);
        read_accesses(root, *bench);
        read_collective(root, bench->collective);
        read_links(root, *bench);
        read_hints(root, *bench);
        root.no_other_keys();
    } catch (const toml::parse_error& error) {
        fail(error.source(), std::string(error.description()));
    } catch (const TomlGaveUp& error) {
        fail({}, error.what());
    }
    return bench;
}

}  // namespace peerproof::simulated
