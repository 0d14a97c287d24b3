#include "simulator/graph_rules.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace peerproof::simulated {

bool is_of_graphs(const WayRule& rule, int from, int to) {
    const auto is = [](int wanted, int gpu) { return wanted == -1 || wanted == gpu; };
    return rule.way == Way::graph && is(rule.from, from) && is(rule.to, to);
}

bool is_of_graph(const WayRule& rule, int from, int to, std::uint32_t launch) {
    return launch > static_cast<std::uint32_t>(rule.after) && is_of_graphs(rule, from, to);
}

bool is_call_of_graphs(std::string_view call) {
    constexpr std::string_view all[] = {"cudaStreamBeginCapture", "cudaStreamEndCapture",
                                        "cudaGraphInstantiate", "cudaGraphUpload", "cudaGraphLaunch"};
    return std::find(std::begin(all), std::end(all), call) != std::end(all);
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
