// A graph: what a stream capture makes of calls, and what its launch posts.
#pragma once

#include <functional>
#include <vector>

#include "simulator/context.hpp"

namespace peerproof::simulated {

// Posts what one call asked for. `launch` is 0 outside of a graph; in one it counts the launches, from 1.
using Post = std::function<cudaError_t(cudaStream_t, const Stream&, std::uint32_t launch)>;

struct Node {
    int gpu;                         // whose queue does it
    std::vector<std::size_t> after;  // nodes of the graph, all of them earlier ones
    Post post;
};

struct Graph {
    std::vector<Node> nodes;
};

// After all that the stream was given before; what it is given next comes after all of the graph.
cudaError_t post_graph(const Graph&, cudaStream_t, const Stream&, std::uint32_t launch);

// The handle of the graph that a capture made.
cudaGraph_t keep_graph(Graph graph);

}  // namespace peerproof::simulated
