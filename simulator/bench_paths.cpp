// The words for what a path does, and [[when]]: what it does at times.
#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {
namespace {

// What goes on over the paths at the same time.
void read_concurrency(Table& table, Bench& bench, When& when) {
    table.boolean("bidirectional", when.bidirectional);
    table.word<Going>("bidirectional_by", when.bidirectional_by,
                      {{"loads", Going::loads},
                       {"stores", Going::stores},
                       {"kernels", Going::kernels},
                       {"copies", Going::copies}});
    table.integer("active_pairs", when.active_pairs, 1, max_gpus * (max_gpus - 1));
    if (when.bidirectional_by != Going::any || when.active_pairs > 1)
        bench.counts_flights = bench.counts_all = true;
}

}  // namespace

void read_copy(Table& table, std::string_view key, Copy& into, int& error) {
    const toml::node* node = table.find(key);
    if (node == nullptr) return;
    if (const auto code = node->value_exact<std::int64_t>()) {
        if (*code < 1 || *code > 999) table.wrong(key, *node, "a word, or a CUDA error code from 1 to 999");
        into = Copy::refused;
        error = static_cast<int>(*code);
        return;
    }
    table.word<Copy>(key, into,
                     {{"right", Copy::right},
                      {"nothing", Copy::nothing},
                      {"zeros", Copy::zeros},
                      {"ones", Copy::ones},
                      {"own", Copy::own},
                      {"neighbour", Copy::neighbour},
                      {"shadow", Copy::shadow},
                      {"shifted", Copy::shifted},
                      {"flipped", Copy::flipped},
                      {"stale", Copy::stale},
                      {"partial", Copy::partial},
                      {"moved", Copy::moved},
                      {"as_store", Copy::as_store},
                      {"hang", Copy::hang}},
                     ", or a CUDA error code from 1 to 999");
}

void read_load(Table& table, Load& into, bool of_graph) {
    if (const toml::node* node = table.find("load");
        of_graph && node != nullptr && node->value_exact<std::string>() == "stale") {
        into = Load::stale;
        return;
    }
    table.word<Load>("load", into,
                     {{"real", Load::real},
                      {"fault", Load::fault},
                      {"zeros", Load::zeros},
                      {"ones", Load::ones},
                      {"own", Load::own},
                      {"neighbour", Load::neighbour},
                      {"shadow", Load::shadow},
                      {"shifted", Load::shifted},
                      {"flipped", Load::flipped},
                      {"hang", Load::hang},
                      {"unkillable", Load::unkillable},
                      {"crash", Load::crash}},
                     of_graph ? " \"stale\"" : "");
}

void read_store(Table& table, Store& into) {
    table.word<Store>("store", into,
                      {{"real", Store::real},
                       {"fault", Store::fault},
                       {"dropped", Store::dropped},
                       {"own", Store::own},
                       {"neighbour", Store::neighbour},
                       {"shadow", Store::shadow},
                       {"shifted", Store::shifted},
                       {"late", Store::late},
                       {"hang", Store::hang},
                       {"unkillable", Store::unkillable},
                       {"crash", Store::crash},
                       {"clobbers", Store::clobbers},
                       {"spills", Store::spills}});
}

void read_whens(Table& root, Bench& bench) {
    for (Table& each : root.tables("when")) {
        if (bench.when_count == max_whens)
            fail(each.toml().source(), "at most " + std::to_string(max_whens) + " [[when]] tables");
        When& when = bench.whens[bench.when_count++];
        when.from = each.index("from", bench.count).value_or(-1);
        when.to = each.index("to", bench.count).value_or(-1);
        read_load(each, when.load);
        read_store(each, when.store);
        read_copy(each, "copy", when.copy, when.copy_error);
        read_copy(each, "staged", when.staged, when.staged_error);
        const auto says = [&](const char* key) { return each.toml().contains(key); };
        when.has_load = says("load");
        when.has_store = says("store");
        when.has_copy = says("copy");
        when.has_staged = says("staged");
        if (!when.has_load && !when.has_store && !when.has_copy && !when.has_staged)
            fail(each.toml().source(), "[[when]] says nothing: load, store, copy or staged");
        each.integer("copy_limit", when.copy_limit, 0, std::int64_t{1} << 40);
        std::int64_t first_mib = 0, end_mib = 1 << 20;
        each.integer("first_mib", first_mib, 0, 1 << 20);
        each.integer("end_mib", end_mib, 0, 1 << 20);
        for (const auto& [key, value] : {std::pair{"first_mib", first_mib}, std::pair{"end_mib", end_mib}}) {
            if (value % 2 != 0) each.wrong(key, *each.find(key), "even: a page of a GPU is 2 MiB");
        }
        when.first_byte = static_cast<std::uint64_t>(first_mib) << 20;
        if (says("end_mib")) when.end_byte = static_cast<std::uint64_t>(end_mib) << 20;
        each.integer("least_bytes", when.least_bytes, 0, std::int64_t{1} << 40);
        each.integer("most_bytes", when.most_bytes, 0, std::int64_t{1} << 40);
        each.integer("after_bytes", when.after_bytes, 0, std::int64_t{1} << 50);
        each.integer("after_total_bytes", when.after_total_bytes, 0, std::int64_t{1} << 50);
        each.integer("after_ms", when.after_ms, 0, 3'600'000);
        each.integer("first_operation", when.first_operation, 1, 1'000'000'000);
        each.integer("last_operation", when.last_operation, 1, 1'000'000'000);
        each.integer("every", when.every, 1, 1'000'000'000);
        each.integer("first_process", when.first_process, 1, 1'000'000);
        each.number("above_c", when.above, -50, 150);
        bench.counts_all = bench.counts_all || when.after_total_bytes > 0;
        read_concurrency(each, bench, when);
        each.integer("first_run", when.first_run, 1, 1'000'000);
        each.integer("last_run", when.last_run, 1, 1'000'000);
        each.integer("every_run", when.every_run, 1, 1'000'000);
        when.counted_from = each.index("counted_from", bench.count).value_or(-1);
        when.counted_to = each.index("counted_to", bench.count).value_or(-1);
        if ((when.counted_from == -1) != (when.counted_to == -1))
            fail(each.toml().source(), "[[when]] needs both or neither: counted_from and counted_to");
        each.word<Enabling>("enabling", when.enabling,
                            {{"off", Enabling::off},
                             {"on_again", Enabling::on_again},
                             {"twice", Enabling::twice},
                             {"overtaken", Enabling::overtaken},
                             {"other_side_only", Enabling::other_side_only}});
        if (says("enabling") && (when.has_copy || when.has_staged))
            fail(each.toml().source(), "[[when]] enabling is of loads and stores, not of copies");
        each.no_other_keys();
    }
}

}  // namespace peerproof::simulated
