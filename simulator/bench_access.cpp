// [[access]] and [[atomic]]: what single accesses through a window do.
#include "simulator/bench.hpp"
#include "simulator/toml_table.hpp"

namespace peerproof::simulated {
namespace {

using Of = AccessRule::Of;

void read_width(Table& table, const char* key, int& bytes) {
    table.integer(key, bytes, 1, 16);
    if ((bytes & (bytes - 1)) != 0) table.wrong(key, *table.find(key), "1, 2, 4, 8 or 16");
}

void read_deed(Table& table, AccessRule& rule) {
    table.need("does");
    const bool loads = rule.of == Of::loads;
    table.word<AccessDeed>("does", rule.deed,
                           {{loads ? "zeros" : "dropped", loads ? AccessDeed::zeros : AccessDeed::dropped},
                            {"torn", AccessDeed::torn}});
    if (rule.deed == AccessDeed::torn && rule.bytes == 1)
        table.wrong("does", *table.find("does"), "another: a byte has no halves");
}

void read_access(Table& table, AccessRule& rule, int gpus) {
    rule.from = table.index("from", gpus).value_or(-1);
    rule.to = table.index("to", gpus).value_or(-1);
    read_width(table, "load_bytes", rule.bytes);
    read_width(table, "store_bytes", rule.bytes);
    int said = 0;
    for (const auto& [key, of] : {std::pair{"load_bytes", Of::loads},
                                  {"store_bytes", Of::stores},
                                  {"cached", Of::cached},
                                  {"read_only", Of::read_only}}) {
        if (!table.has(key)) continue;
        ++said;
        rule.of = of;
        if (of == Of::cached || of == Of::read_only)
            table.word<AccessDeed>(key, rule.deed, {{"stale", AccessDeed::stale}});
        else
            read_deed(table, rule);
    }
    if (said != 1)
        fail(table.toml().source(),
             "[[access]] is of one thing: load_bytes, store_bytes, cached or read_only");
    table.no_other_keys();
}

void read_atomic(Table& table, AtomicRule& rule, int gpus) {
    rule.from = table.index("from", gpus).value_or(-1);
    rule.to = table.index("to", gpus).value_or(-1);
    table.need("does");
    constexpr auto any = AtomicOperation::other;
    rule.operation = any;
    table.word<AtomicOperation>("operation", rule.operation,
                                {{"*", any},
                                 {"add", AtomicOperation::add},
                                 {"exchange", AtomicOperation::exchange},
                                 {"compare_and_swap", AtomicOperation::compare_and_swap},
                                 {"or", AtomicOperation::bit_or},
                                 {"and", AtomicOperation::bit_and}});
    rule.every_operation = rule.operation == any;
    if (const toml::node* node = table.find("bits");
        node != nullptr && node->value_exact<std::string>() != "*") {
        rule.bits = static_cast<int>(node->value_exact<std::int64_t>().value_or(0));
        if (rule.bits != 32 && rule.bits != 64) table.wrong("bits", *node, "32, 64 or \"*\"");
    }
    table.word<AtomicDeed>("does", rule.deed,
                           {{"lost", AtomicDeed::lost},
                            {"twice", AtomicDeed::twice},
                            {"torn", AtomicDeed::torn},
                            {"not_atomic", AtomicDeed::not_atomic}});
    table.integer("every", rule.every, 1, 1'000'000'000);
    table.no_other_keys();
}

// The next of the rules, which have room for so many.
template <class Rule>
Rule& next_of(Rule* rules, int& count, int most, const Table& table, const std::string& name) {
    if (count == most)
        fail(table.toml().source(), "at most " + std::to_string(most) + " [[" + name + "]] tables");
    return rules[count++];
}

}  // namespace

void read_accesses(Table& root, Bench& bench) {
    for (Table& each : root.tables("access"))
        read_access(each,
                    next_of(bench.access_rules, bench.access_rule_count, max_access_rules, each, "access"),
                    bench.count);
    for (Table& each : root.tables("atomic"))
        read_atomic(each,
                    next_of(bench.atomic_rules, bench.atomic_rule_count, max_atomic_rules, each, "atomic"),
                    bench.count);
}

}  // namespace peerproof::simulated
