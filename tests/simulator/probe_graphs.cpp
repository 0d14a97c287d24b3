// Steps of the probe: work on streams, its capture, and graphs.
#include <thread>

#include "kernels/ping_pong.hpp"
#include "tests/simulator/probe.hpp"

namespace peerproof::probe {
namespace {

std::map<std::string, cudaGraph_t> graphs;
std::map<std::string, cudaGraphExec_t> executables;

std::string end_capture(const Words& w) {
    return std::to_string(cudaStreamEndCapture(streams[w.at(1)], &graphs[w.at(2)]));
}

std::string info(const Words& w) {
    cudaStreamCaptureStatus status{};
    unsigned long long id = 0;
    std::size_t dependencies = 0;
    const cudaError_t error =
        cudaStreamGetCaptureInfo(streams[w.at(1)], &status, &id, nullptr, nullptr, nullptr, &dependencies);
    return with(error,
                std::to_string(status) + ' ' + std::to_string(id) + ' ' + std::to_string(dependencies));
}

std::string ping_pong(const Words& w) {
    std::uint64_t *own = at(pointer(w, 1), 0), *peer = at(pointer(w, 2), 0), *sent = at(pointer(w, 5), 64);
    std::uint64_t base = 100, rounds = number(w, 3), begins = number(w, 4);
    auto* stop = reinterpret_cast<const std::uint32_t*>(at(pointer(w, 5), 0));
    void* arguments[] = {&own, &peer, &base, &rounds, &begins, &stop, &sent};
    return std::to_string(cudaLaunchKernel(reinterpret_cast<const void*>(kernels::ping_pong), dim3(1),
                                           dim3(1), arguments, 0, current_stream));
}

}  // namespace

Steps graph_steps() {
    return {
        {"stream_apart",  // one that the legacy stream does not wait for
         [](const Words& w) {
             return std::to_string(cudaStreamCreateWithFlags(&streams[w.at(1)], cudaStreamNonBlocking));
         }},
        {"destroy_stream",
         [](const Words& w) { return std::to_string(cudaStreamDestroy(streams[w.at(1)])); }},
        {"use",  // [STREAM]
         [](const Words& w) {
             current_stream = w.size() > 1 ? streams.at(w[1]) : nullptr;
             return std::string("0");
         }},
        {"sync_stream",
         [](const Words& w) { return std::to_string(cudaStreamSynchronize(streams[w.at(1)])); }},
        {"sync_event", [](const Words& w) { return std::to_string(cudaEventSynchronize(events[w.at(1)])); }},
        {"query_event", [](const Words& w) { return std::to_string(cudaEventQuery(events[w.at(1)])); }},
        {"peer_async",  // TO DEVICE FROM DEVICE BYTES
         [](const Words& w) {
             return std::to_string(cudaMemcpyPeerAsync(pointer(w, 1).address, integer(w, 2),
                                                       pointer(w, 3).address, integer(w, 4), number(w, 5),
                                                       current_stream));
         }},
        {"copy_async",  // TO FROM BYTES
         [](const Words& w) {
             return std::to_string(cudaMemcpyAsync(pointer(w, 1).address, pointer(w, 2).address, number(w, 3),
                                                   cudaMemcpyDefault, current_stream));
         }},
        {"set_async",  // NAME VALUE
         [](const Words& w) {
             return std::to_string(
                 cudaMemsetAsync(pointer(w, 1).address, integer(w, 2), pointer(w, 1).bytes, current_stream));
         }},
        {"ping_pong",
         ping_pong},  // OWN PEER ROUNDS BEGINS, and pinned memory for the stop word and the result
        {"begin",     // STREAM [MODE]
         [](const Words& w) {
             return std::to_string(
                 cudaStreamBeginCapture(streams[w.at(1)], static_cast<cudaStreamCaptureMode>(integer(w, 2))));
         }},
        {"begin_legacy",
         [](const Words&) {
             return std::to_string(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
         }},
        {"end", end_capture},  // STREAM GRAPH
        {"end_elsewhere",      // by another thread
         [](const Words& w) {
             std::string answer;
             std::thread([&] { answer = end_capture(w); }).join();
             return answer;
         }},
        {"info", info},
        {"capturing",
         [](const Words& w) {
             cudaStreamCaptureStatus status{};
             const cudaError_t error = cudaStreamIsCapturing(streams[w.at(1)], &status);
             return with(error, std::to_string(status));
         }},
        {"exchange_mode",
         [](const Words& w) {
             auto mode = static_cast<cudaStreamCaptureMode>(integer(w, 1));
             const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&mode);
             return with(error, std::to_string(mode));
         }},
        {"nodes",
         [](const Words& w) {
             std::size_t count = 0;
             const cudaError_t error = cudaGraphGetNodes(graphs[w.at(1)], nullptr, &count);
             return with(error, std::to_string(count));
         }},
        {"instantiate",  // EXECUTABLE GRAPH
         [](const Words& w) {
             return std::to_string(cudaGraphInstantiate(&executables[w.at(1)], graphs[w.at(2)], 0));
         }},
        {"upload",
         [](const Words& w) {
             return std::to_string(cudaGraphUpload(executables[w.at(1)], current_stream));
         }},
        {"launch",
         [](const Words& w) {
             return std::to_string(cudaGraphLaunch(executables[w.at(1)], current_stream));
         }},
        {"destroy", [](const Words& w) { return std::to_string(cudaGraphDestroy(graphs[w.at(1)])); }},
        {"destroy_executable",
         [](const Words& w) { return std::to_string(cudaGraphExecDestroy(executables[w.at(1)])); }},
    };
}

}  // namespace peerproof::probe
