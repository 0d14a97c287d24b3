// [[way]]: what a path does where software reaches over it in one way only.
#include "simulator/graph_rules.hpp"
#include "simulator/toml_table.hpp"
#include "simulator/ways.hpp"

namespace peerproof::simulated {

void read_ways(Table& root, Bench& bench) {
    for (Table& each : root.tables("way")) {
        if (bench.way_rule_count == max_way_rules)
            fail(each.toml().source(), "at most " + std::to_string(max_way_rules) + " [[way]] tables");
        WayRule& rule = bench.way_rules[bench.way_rule_count++];
        each.need("way");
        each.word<Way>("way", rule.way,
                       {{"ipc", Way::ipc}, {"vmm", Way::vmm}, {"pool", Way::pool}, {"graph", Way::graph}});
        rule.from = each.index("from", bench.count).value_or(-1);
        rule.to = each.index("to", bench.count).value_or(-1);
        read_load(each, rule.load, rule.way == Way::graph);
        read_store(each, rule.store);
        read_copy(each, "copy", rule.copy, rule.copy_error);
        rule.has_load = each.has("load");
        rule.has_store = each.has("store");
        rule.has_copy = each.has("copy");
        each.text("refuses", rule.call, sizeof rule.call);
        each.integer("error", rule.error, 1, 999);
        if (each.has("refuses") != each.has("error"))
            fail(each.toml().source(), "[[way]]: 'refuses' and 'error' belong together");
        if (each.has("refuses") && !is_call_of(rule.way, rule.call))
            each.wrong("refuses", *each.find("refuses"),
                       "the name of a call of this way (ways.cpp has them)");
        if (each.has("refuses") && rule.way == Way::graph && (each.has("from") || each.has("to")))
            fail(each.toml().source(),
                 "[[way]]: a call of graphs is of no pair: 'from' and 'to' say nothing");
        each.boolean("imported", rule.imported);
        each.word<bool>("mapped", rule.always_mapped, {{"when_given", false}, {"always", true}});
        if (!rule.has_load && !rule.has_store && !rule.has_copy && !each.has("refuses") &&
            !rule.always_mapped)
            fail(each.toml().source(), "[[way]] says nothing: load, store, copy, mapped or refuses");
        each.integer("after", rule.after, 0, 1'000'000);
        each.no_other_keys();
    }
}

}  // namespace peerproof::simulated
