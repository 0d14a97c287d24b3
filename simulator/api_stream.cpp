// Streams and events. One GPU does everything in the order of its posting, so a stream is a GPU and a
// number.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "simulator/capture.hpp"

namespace peerproof::simulated {
namespace {

std::mutex mutex;  // of the two maps
std::unordered_map<cudaStream_t, Stream> streams;

struct Event {
    std::uint32_t slot = 0;  // in the control block
    bool timed = true;
    bool recorded = false;
    int gpu = 0;
    std::uint32_t number = 0;
};
std::unordered_map<cudaEvent_t, Event> events;
bool slots_used[event_limit] = {};

bool is_default_stream(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool find_event(cudaEvent_t handle, Event& event) {
    const std::lock_guard lock(mutex);
    const auto found = events.find(handle);
    if (found == events.end()) return false;
    event = found->second;
    return true;
}

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
    if (event == nullptr || (flags & ~7u) != 0) return cudaErrorInvalidValue;
    if ((flags & cudaEventInterprocess) != 0)
        die("cudaEventInterprocess is not modelled; add it in simulator/");
    if (const cudaError_t error = notice_faults()) return error;
    const std::lock_guard lock(mutex);
    bool* slot = std::find(std::begin(slots_used), std::end(slots_used), false);
    if (slot == std::end(slots_used)) return cudaErrorMemoryAllocation;
    *slot = true;
    Event made;
    made.slot = static_cast<std::uint32_t>(slot - slots_used);
    made.timed = (flags & cudaEventDisableTiming) == 0;
    *event = new_handle<cudaEvent_t>();
    events.emplace(*event, made);
    return cudaSuccess;
}

}  // namespace

std::uintptr_t next_handle() {
    static std::atomic<std::uintptr_t> last = 0x51'0000'0000;
    return last += 16;
}

bool find_stream(cudaStream_t handle, Stream& stream) {
    if (is_default_stream(handle)) {
        const int gpu = current_gpu();
        stream = {gpu, the_machine().posted(gpu), true};
        return true;
    }
    const std::lock_guard lock(mutex);
    const auto found = streams.find(handle);
    if (found == streams.end()) return false;
    stream = found->second;
    return true;
}

std::uint32_t post_to(cudaStream_t handle, const Stream& stream, const Command& command) {
    const std::uint32_t number = the_machine().post(stream.gpu, command);
    if (!stream.is_default) {
        const std::lock_guard lock(mutex);
        if (const auto found = streams.find(handle); found != streams.end()) found->second.last = number;
    }
    return number;
}

}  // namespace peerproof::simulated

using namespace peerproof::simulated;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    if (stream == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
        return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = notice_faults()) return finish(error);
    const std::lock_guard lock(mutex);
    *stream = new_handle<cudaStream_t>();
    Stream made{current_gpu()};
    made.is_non_blocking = flags == cudaStreamNonBlocking;
    streams.emplace(*stream, made);
    return finish(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (const cudaError_t error = notice_faults()) return finish(error);
    forget_captured(stream);
    const std::lock_guard lock(mutex);
    return finish(streams.erase(stream) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return finish(error);
    Stream where{};
    if (!find_stream(stream, where)) return finish(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = refused_by_capture(stream, where)) return finish(error);
    the_machine().wait(where.gpu, where.last);
    return finish(notice_faults());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (const cudaError_t error = notice_faults()) return finish(error);
    Stream where{};
    if (!find_stream(stream, where)) return finish(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = refused_by_capture(stream, where)) return finish(error);
    return finish(the_machine().finished(where.gpu, where.last) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    if (flags != 0) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    Stream where{};
    Event awaited;
    if (!find_stream(stream, where) || !find_event(event, awaited))
        return finish(cudaErrorInvalidResourceHandle);
    if (const auto answer = captured_wait(stream, where, event)) return finish(*answer);
    if (!awaited.recorded || awaited.gpu == where.gpu) return finish(cudaSuccess);  // one GPU keeps its order
    Command command{};
    command.act = Act::wait;
    command.gpu = awaited.gpu;
    command.number = awaited.number;
    post_to(stream, where, command);
    return finish(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return finish(create_event(event, flags));
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return finish(create_event(event, cudaEventDefault)); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return finish(error);
    Stream where{};
    Event known;
    if (!find_stream(stream, where) || !find_event(event, known))
        return finish(cudaErrorInvalidResourceHandle);
    if (const auto answer = captured_record(stream, where, event)) return finish(*answer);
    Command command{};
    command.act = Act::record;
    command.event = known.slot;
    const std::uint32_t number = post_to(stream, where, command);
    const std::lock_guard lock(mutex);
    if (const auto found = events.find(event); found != events.end()) {
        found->second.recorded = true;
        found->second.gpu = where.gpu;
        found->second.number = number;
    }
    return finish(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (const cudaError_t error = context_error()) return finish(error);
    Event known;
    if (!find_event(event, known)) return finish(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = refused_by_capture(event)) return finish(error);
    if (known.recorded) the_machine().wait(known.gpu, known.number);
    return finish(notice_faults());
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (const cudaError_t error = notice_faults()) return finish(error);
    Event known;
    if (!find_event(event, known)) return finish(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = refused_by_capture(event)) return finish(error);
    if (const cudaError_t error = unsafe_while_capturing()) return finish(error);
    const bool ready = !known.recorded || the_machine().finished(known.gpu, known.number);
    return finish(ready ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    if (milliseconds == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = notice_faults()) return finish(error);
    Event begin, end;
    if (!find_event(from, begin) || !find_event(to, end)) return finish(cudaErrorInvalidResourceHandle);
    for (const cudaEvent_t each : {from, to}) {
        if (const cudaError_t error = refused_by_capture(each)) return finish(error);
    }
    if (!begin.recorded || !end.recorded || !begin.timed || !end.timed)
        return finish(cudaErrorInvalidResourceHandle);
    Machine& machine = the_machine();
    if (!machine.finished(begin.gpu, begin.number) || !machine.finished(end.gpu, end.number))
        return finish(cudaErrorNotReady);
    const auto& times = machine.control().event_times;
    *milliseconds = static_cast<float>(static_cast<double>(times[end.slot] - times[begin.slot]) / 1e6);
    return finish(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (const cudaError_t error = notice_faults()) return finish(error);
    const std::lock_guard lock(mutex);
    const auto found = events.find(event);
    if (found == events.end()) return finish(cudaErrorInvalidResourceHandle);
    forget_captured(event);
    slots_used[found->second.slot] = false;
    events.erase(found);
    return finish(cudaSuccess);
}

}  // extern "C"
