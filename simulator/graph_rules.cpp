#include "simulator/graph_rules.hpp"

#include <atomic>

namespace peerproof::simulated {

bool is_of_graphs(const WayRule& rule, int from, int to) {
    return rule.way == Way::graph && is_meant(rule.from, from) && is_meant(rule.to, to);
}

bool is_of_graph(const WayRule& rule, int from, int to, std::uint32_t launch) {
    return launch > static_cast<std::uint32_t>(rule.after) && is_of_graphs(rule, from, to);
}

int refused_of_graphs(const Bench& bench, std::string_view call) {
    static std::atomic<int> calls[max_way_rules] = {};
    int error = 0;
    for (int i = 0; i < bench.way_rule_count; ++i) {
        const WayRule& rule = bench.way_rules[i];
        if (rule.way == Way::graph && rule.call == call && calls[i]++ >= rule.after) error = rule.error;
    }
    return error;
}

}  // namespace peerproof::simulated
