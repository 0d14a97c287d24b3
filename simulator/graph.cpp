#include "simulator/graph.hpp"

namespace peerproof::simulated {
namespace {

// Everything on one GPU is done in the order of its posting: only another GPU is waited for.
void wait_for(const Stream& at, int gpu, std::uint32_t number, cudaStream_t stream = nullptr) {
    if (gpu == at.gpu || number == 0) return;
    Command command{};
    command.act = Act::wait;
    command.gpu = gpu;
    command.number = number;
    post_to(stream, at, command);
}

}  // namespace

cudaError_t post_graph(const Graph& graph, cudaStream_t stream, const Stream& where, std::uint32_t launch) {
    Machine& machine = the_machine();
    std::vector<std::uint32_t> numbers;  // of the last command of each node, in the queue of its GPU
    std::uint32_t last[max_gpus] = {};
    cudaError_t error = cudaSuccess;
    for (const Node& node : graph.nodes) {
        const Stream at{node.gpu, 0, true};  // of no stream's own
        if (node.after.empty()) wait_for(at, where.gpu, where.last);
        for (const std::size_t earlier : node.after) wait_for(at, graph.nodes[earlier].gpu, numbers[earlier]);
        error = node.post(nullptr, at, launch);
        if (error != cudaSuccess) break;
        numbers.push_back(machine.posted(node.gpu));
        last[node.gpu] = numbers.back();
    }
    for (int gpu = 0; gpu < max_gpus; ++gpu) wait_for(where, gpu, last[gpu], stream);
    Command end{};  // the stream has its last command behind those of the graph
    end.act = Act::elapse;
    post_to(stream, where, end);
    return error;
}

}  // namespace peerproof::simulated
