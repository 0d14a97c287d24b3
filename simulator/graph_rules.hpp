// What [[way]] says of graphs: of paths where commands of a graph go over them, and of the calls.
#pragma once

#include <string_view>

#include "simulator/bench.hpp"

namespace peerproof::simulated {

// Whether the rule is of such a command: one of a graph's launch of that number, 0 where it is of no graph.
bool is_of_graph(const WayRule&, int from, int to, std::uint32_t launch);
// Whether it is of any graph's commands over that path.
bool is_of_graphs(const WayRule&, int from, int to);

// The error that the bench answers to this call, 0 where it does not refuse it; counts the call.
int refused_of_graphs(const Bench&, std::string_view call);

}  // namespace peerproof::simulated
