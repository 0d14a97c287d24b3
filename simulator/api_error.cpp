// Errors: their names and texts, the last one, and those that stick.
#include <atomic>

#include "simulator/context.hpp"

namespace peerproof::simulated {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int chosen_device = 0;
std::atomic<int> sticky{0};
std::atomic<bool> gone{false};

}  // namespace

cudaError_t finish(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

cudaError_t context_error() {
    if (is_forked_child()) return cudaErrorInitializationError;
    Machine& machine = the_machine();
    if (machine.devices().empty()) return cudaErrorNoDevice;
    if (gone) return cudaErrorDevicesUnavailable;
    if (sticky != 0) return static_cast<cudaError_t>(sticky.load());
    return static_cast<cudaError_t>(machine.bench().gpus[current_gpu()].context_error);
}

cudaError_t notice_faults() {
    const cudaError_t error = context_error();
    if (error != cudaSuccess) return error;
    sticky = the_machine().fault();
    return static_cast<cudaError_t>(sticky.load());
}

void give_up_devices() {
    if (sticky == 0) return;
    gone = true;
    sticky = 0;
}

bool devices_are_gone() { return gone; }

int current_device() { return chosen_device; }
void set_current_device(int chosen) { chosen_device = chosen; }
bool is_device(int index) { return index >= 0 && index < static_cast<int>(the_machine().devices().size()); }
int gpu_of(int index) { return the_machine().devices()[static_cast<std::size_t>(index)]; }
int current_gpu() { return gpu_of(chosen_device); }

int device_of(int gpu) {
    const std::vector<int>& devices = the_machine().devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i] == gpu) return static_cast<int>(i);
    }
    return -1;
}

bool is_enabled(int actor, int owner) { return the_machine().control().enabled_at[actor][owner] != 0; }

}  // namespace peerproof::simulated

using namespace peerproof::simulated;

extern "C" {

cudaError_t cudaGetLastError(void) {
    if (sticky != 0) return static_cast<cudaError_t>(sticky.load());
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void) {
    return sticky != 0 ? static_cast<cudaError_t>(sticky.load()) : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define PEERPROOF_ERROR(code, name, text) \
    case code:                            \
        return #name;
#include "simulator/errors.inc"
#undef PEERPROOF_ERROR
        default:
            return "unrecognized error code";
    }
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (static_cast<int>(error)) {
#define PEERPROOF_ERROR(code, name, text) \
    case code:                            \
        return text;
#include "simulator/errors.inc"
#undef PEERPROOF_ERROR
        default:
            return "unrecognized error code";
    }
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (version == nullptr) return finish(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return finish(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (version == nullptr) return finish(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return finish(cudaSuccess);
}

const Bench* peerproof_simulated_bench_file(void) { return &the_machine().bench(); }

const History* peerproof_simulated_history(void) { return &the_machine().history(); }

const char* peerproof_simulated_bench(void) { return the_machine().bench().name; }

}  // extern "C"
