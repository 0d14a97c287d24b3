#include "simulator/capture.hpp"

#include <algorithm>
#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace peerproof::simulated {
namespace {

using Nodes = std::vector<std::size_t>;

struct Branch {  // a stream of a capture
    Stream stream;
    Nodes next_after;
};

struct Capture {
    unsigned long long id;
    cudaStream_t origin;
    cudaStreamCaptureMode mode;
    std::thread::id thread;
    bool is_spoilt = false;
    Graph graph;
    std::map<cudaStream_t, Branch> branches;
};

struct CapturedEvent {
    unsigned long long capture;
    Nodes after;
};

std::mutex capture_mutex;  // of all that follows
std::list<Capture> captures;
std::map<cudaEvent_t, CapturedEvent> captured_events;
unsigned long long last_id = 0;
std::atomic<int> capture_count{0};
thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

Capture* capture_of(cudaStream_t stream) {
    const auto found = std::find_if(captures.begin(), captures.end(),
                                    [&](const Capture& each) { return each.branches.contains(stream); });
    return found == captures.end() ? nullptr : &*found;
}
Capture* capture_named(unsigned long long id) {
    const auto found =
        std::find_if(captures.begin(), captures.end(), [&](const Capture& each) { return each.id == id; });
    return found == captures.end() ? nullptr : &*found;
}

cudaError_t spoil(Capture& capture, cudaError_t error) {
    if (capture.is_spoilt) return cudaErrorStreamCaptureInvalidated;
    capture.is_spoilt = true;
    return error;
}

// The legacy stream waits for all streams that block it, and these cannot be waited for.
cudaError_t spoil_what_blocks(cudaStream_t stream, int gpu) {
    if (!is_legacy(stream)) return cudaSuccess;
    cudaError_t error = cudaSuccess;
    for (Capture& each : captures) {
        const bool blocks = std::any_of(each.branches.begin(), each.branches.end(), [&](const auto& branch) {
            return branch.second.stream.gpu == gpu && !branch.second.stream.is_non_blocking;
        });
        if (!blocks) continue;
        each.is_spoilt = true;
        error = cudaErrorStreamCaptureImplicit;
    }
    return error;
}

void add_to(Nodes& to, const Nodes& more) {
    for (const std::size_t each : more) {
        if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    }
}

// Whether the origin comes after every node of the graph that another stream ends with.
bool is_joined(const Capture& capture) {
    std::vector<bool> before(capture.graph.nodes.size(), false);
    const auto mark = [&](const Nodes& nodes) {
        for (const std::size_t each : nodes) before[each] = true;
    };
    mark(capture.branches.at(capture.origin).next_after);
    for (std::size_t i = before.size(); i-- > 0;) {
        if (before[i]) mark(capture.graph.nodes[i].after);
    }
    return std::all_of(before.begin(), before.end(), [](bool each) { return each; });
}

void remove_capture(const Capture& capture) {
    captures.remove_if([&](const Capture& each) { return each.id == capture.id; });
    --capture_count;
}

}  // namespace

bool any_capture() { return capture_count.load(std::memory_order_acquire) != 0; }

cudaError_t post_while_capturing(cudaStream_t stream, const Stream& where, const Post& post) {
    {
        const std::lock_guard lock(capture_mutex);
        if (Capture* capture = capture_of(stream)) {
            if (capture->is_spoilt) return cudaErrorStreamCaptureInvalidated;
            Branch& branch = capture->branches.at(stream);
            capture->graph.nodes.push_back({where.gpu, branch.next_after, post});
            branch.next_after = {capture->graph.nodes.size() - 1};
            return cudaSuccess;
        }
        if (const cudaError_t error = spoil_what_blocks(stream, where.gpu)) return error;
    }
    return post(stream, where, 0);
}

cudaError_t begin_capture(cudaStream_t stream, const Stream& where, cudaStreamCaptureMode mode) {
    const std::lock_guard lock(capture_mutex);
    if (is_legacy(stream)) return cudaErrorStreamCaptureUnsupported;
    if (where.is_default) die("a capture of cudaStreamPerThread is not modelled; add it in simulator/");
    if (capture_of(stream) != nullptr) return cudaErrorIllegalState;
    Capture& made = captures.emplace_back();
    made.id = ++last_id;
    made.origin = stream;
    made.mode = mode;
    made.thread = std::this_thread::get_id();
    made.branches[stream] = {where, {}};
    ++capture_count;
    return cudaSuccess;
}

cudaError_t end_capture(cudaStream_t stream, cudaGraph_t& graph) {
    const std::lock_guard lock(capture_mutex);
    Capture* capture = capture_of(stream);
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->origin != stream) return spoil(*capture, cudaErrorStreamCaptureUnmatched);
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
        return cudaErrorStreamCaptureWrongThread;
    cudaError_t error = cudaSuccess;
    if (capture->is_spoilt)
        error = cudaErrorStreamCaptureInvalidated;
    else if (!is_joined(*capture))
        error = cudaErrorStreamCaptureUnjoined;
    else
        graph = keep_graph(std::move(capture->graph));
    remove_capture(*capture);
    return error;
}

CaptureInfo capture_info(cudaStream_t stream) {
    const std::lock_guard lock(capture_mutex);
    const Capture* capture = capture_of(stream);
    if (capture == nullptr) return {};
    return {capture->is_spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive,
            capture->id, capture->branches.at(stream).next_after.size()};
}

void not_modelled_in_graphs(cudaStream_t stream, const char* what) {
    if (any_capture() && capture_info(stream).status != cudaStreamCaptureStatusNone)
        die(std::string(what) + " in graphs: not modelled; add it in simulator/");
}

std::optional<cudaError_t> captured_record(cudaStream_t stream, const Stream& where, cudaEvent_t event) {
    const std::lock_guard lock(capture_mutex);
    Capture* capture = capture_of(stream);
    if (capture == nullptr) {
        if (const cudaError_t error = spoil_what_blocks(stream, where.gpu)) return error;
        captured_events.erase(event);
        return std::nullopt;
    }
    if (capture->is_spoilt) return cudaErrorStreamCaptureInvalidated;
    captured_events[event] = {capture->id, capture->branches.at(stream).next_after};
    return cudaSuccess;
}

std::optional<cudaError_t> captured_wait(cudaStream_t stream, const Stream& where, cudaEvent_t event) {
    const std::lock_guard lock(capture_mutex);
    Capture* capture = capture_of(stream);
    const auto found = captured_events.find(event);
    if (found == captured_events.end()) {
        if (capture != nullptr) return spoil(*capture, cudaErrorStreamCaptureIsolation);
        if (const cudaError_t error = spoil_what_blocks(stream, where.gpu)) return error;
        return std::nullopt;
    }
    Capture* recorded = capture_named(found->second.capture);
    if (recorded == nullptr) return cudaErrorCapturedEvent;
    if (is_legacy(stream)) return spoil(*recorded, cudaErrorStreamCaptureImplicit);
    if (capture != nullptr && capture != recorded) {
        spoil(*capture, cudaErrorStreamCaptureMerge);
        return spoil(*recorded, cudaErrorStreamCaptureMerge);
    }
    if (recorded->is_spoilt) return cudaErrorStreamCaptureInvalidated;
    Branch& branch = recorded->branches[stream];
    branch.stream = where;
    add_to(branch.next_after, found->second.after);
    return cudaSuccess;
}

void forget_captured(cudaEvent_t event) {
    const std::lock_guard lock(capture_mutex);
    captured_events.erase(event);
}

void forget_captured(cudaStream_t stream) {
    const std::lock_guard lock(capture_mutex);
    Capture* capture = capture_of(stream);
    if (capture != nullptr && capture->origin == stream) remove_capture(*capture);
}

cudaError_t refused_by_capture(cudaStream_t stream, const Stream& where) {
    const std::lock_guard lock(capture_mutex);
    if (Capture* capture = capture_of(stream)) return spoil(*capture, cudaErrorStreamCaptureUnsupported);
    return spoil_what_blocks(stream, where.gpu);
}

cudaError_t refused_by_capture_on(int gpu) {
    const std::lock_guard lock(capture_mutex);
    cudaError_t error = cudaSuccess;
    for (Capture& each : captures) {
        for (const auto& [stream, branch] : each.branches) {
            if (branch.stream.gpu == gpu) error = cudaErrorStreamCaptureUnsupported;
            if (branch.stream.gpu == gpu) each.is_spoilt = true;
        }
    }
    return error;
}

cudaError_t refused_by_capture(cudaEvent_t event) {
    const std::lock_guard lock(capture_mutex);
    const auto found = captured_events.find(event);
    if (found == captured_events.end()) return cudaSuccess;
    if (Capture* capture = capture_named(found->second.capture)) capture->is_spoilt = true;
    return cudaErrorCapturedEvent;
}

cudaError_t unsafe_while_capturing() {
    if (!any_capture() || mode_of_thread == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    const std::lock_guard lock(capture_mutex);
    cudaError_t error = cudaSuccess;
    for (Capture& each : captures) {
        const bool is_own =
            each.thread == std::this_thread::get_id() && each.mode != cudaStreamCaptureModeRelaxed;
        const bool is_global =
            each.mode == cudaStreamCaptureModeGlobal && mode_of_thread == cudaStreamCaptureModeGlobal;
        if (!is_own && !is_global) continue;
        each.is_spoilt = true;
        error = cudaErrorStreamCaptureUnsupported;
    }
    return error;
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
    return std::exchange(mode_of_thread, mode);
}

}  // namespace peerproof::simulated
