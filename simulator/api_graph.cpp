// Stream capture and graphs.
#include <map>
#include <memory>
#include <mutex>

#include "simulator/capture.hpp"
#include "simulator/graph_rules.hpp"

namespace peerproof::simulated {
namespace {

struct Executable {
    std::shared_ptr<const Graph> graph;
    std::uint32_t launches = 0;
};

std::mutex graph_mutex;  // of the two maps
std::map<cudaGraph_t, std::shared_ptr<const Graph>> graphs;
std::map<cudaGraphExec_t, Executable> executables;

std::shared_ptr<const Graph> find_graph(cudaGraph_t handle) {
    const std::lock_guard lock(graph_mutex);
    const auto found = graphs.find(handle);
    return found == graphs.end() ? nullptr : found->second;
}

cudaError_t refused(const char* call) {
    return static_cast<cudaError_t>(refused_of_graphs(the_machine().bench(), call));
}

cudaError_t instantiate(cudaGraphExec_t* made, cudaGraph_t handle, unsigned long long flags) {
    constexpr unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
    if (made == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = notice_faults()) return error;
    const std::shared_ptr<const Graph> graph = find_graph(handle);
    if (graph == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = refused("cudaGraphInstantiate")) return error;
    const std::lock_guard lock(graph_mutex);
    *made = new_handle<cudaGraphExec_t>();
    executables.emplace(*made, Executable{graph});
    return cudaSuccess;
}

// What cudaGraphUpload and cudaGraphLaunch need, and the number of a launch that is now begun.
cudaError_t find_executable(cudaGraphExec_t handle, cudaStream_t stream, Executable& executable,
                            Stream& where, bool launches) {
    if (const cudaError_t error = context_error()) return error;
    const std::lock_guard lock(graph_mutex);
    const auto found = executables.find(handle);
    if (found == executables.end()) return cudaErrorInvalidValue;
    if (!find_stream(stream, where)) return cudaErrorInvalidResourceHandle;
    if (launches) ++found->second.launches;
    executable = found->second;
    return cudaSuccess;
}

}  // namespace

cudaGraph_t keep_graph(Graph graph) {
    const std::lock_guard lock(graph_mutex);
    const auto handle = new_handle<cudaGraph_t>();
    graphs.emplace(handle, std::make_shared<const Graph>(std::move(graph)));
    return handle;
}

}  // namespace peerproof::simulated

using namespace peerproof::simulated;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
        return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    Stream where{};
    if (!find_stream(stream, where)) return finish(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = refused("cudaStreamBeginCapture")) return finish(error);
    return finish(begin_capture(stream, where, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    if (graph == nullptr) return finish(cudaErrorInvalidValue);
    *graph = nullptr;
    if (const cudaError_t error = context_error()) return finish(error);
    Stream where{};
    if (!find_stream(stream, where)) return finish(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = refused("cudaStreamEndCapture")) return finish(error);
    return finish(end_capture(stream, *graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
    if (status == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    Stream where{};
    if (!find_stream(stream, where)) return finish(cudaErrorInvalidResourceHandle);
    if (graph != nullptr || dependencies != nullptr || edges != nullptr)
        die("nodes of a graph that is still captured are not modelled; add it in simulator/");
    const CaptureInfo info = capture_info(stream);
    *status = info.status;
    if (id != nullptr && info.status == cudaStreamCaptureStatusActive) *id = info.id;
    if (count != nullptr) *count = info.dependencies;
    return finish(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal || *mode > cudaStreamCaptureModeRelaxed)
        return finish(cudaErrorInvalidValue);
    *mode = exchange_capture_mode(*mode);
    return finish(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
    return finish(instantiate(made, graph, flags));
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags) {
    return finish(instantiate(made, graph, flags));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
    Executable executable;
    Stream where{};
    if (const cudaError_t error = find_executable(handle, stream, executable, where, false))
        return finish(error);
    return finish(refused("cudaGraphUpload"));
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
    if (const cudaError_t error = refused("cudaGraphLaunch")) return finish(error);
    Executable executable;
    Stream where{};
    if (const cudaError_t error = find_executable(handle, stream, executable, where, true))
        return finish(error);
    not_modelled_in_graphs(stream, "other graphs");
    return finish(post_graph(*executable.graph, stream, where, executable.launches));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
    const std::lock_guard lock(graph_mutex);
    return finish(executables.erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
    const std::lock_guard lock(graph_mutex);
    return finish(graphs.erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidValue);
}

// The number of nodes where `nodes` is null; else as many of them as there is room for, and nulls behind.
cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
    const std::shared_ptr<const Graph> graph = find_graph(handle);
    if (graph == nullptr || count == nullptr) return finish(cudaErrorInvalidValue);
    const std::size_t all = graph->nodes.size();
    if (nodes != nullptr) {
        for (std::size_t i = 0; i < *count; ++i) {
            const void* node = i < all ? &graph->nodes[i] : nullptr;
            nodes[i] = static_cast<cudaGraphNode_t>(const_cast<void*>(node));
        }
    }
    *count = nodes == nullptr || *count > all ? all : *count;
    return finish(cudaSuccess);
}

}  // extern "C"
