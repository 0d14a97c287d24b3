// The steps of the probe that ask NVML of a GPU's health.
#include <dlfcn.h>

#include <cstdio>

#include "fixtures/machine/nvml_api.hpp"
#include "tests/simulator/probe.hpp"

namespace peerproof::probe {
namespace {

using namespace nvml;

template <class Function, class... Arguments>
int call(const char* name, Arguments... arguments) {
    static void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    auto* function = reinterpret_cast<Function*>(::dlsym(library, name));
    return function(arguments...);
}
#define PEERPROOF_ASK(function, ...) call<decltype(::function)>(#function, __VA_ARGS__)

nvmlDevice_t device_of(int gpu) {
    cudaDeviceProp all{};
    cudaGetDeviceProperties(&all, gpu);
    const auto* u = reinterpret_cast<const unsigned char*>(all.uuid.bytes);
    char text[64];
    std::snprintf(text, sizeof text,
                  "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
                  u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
    nvmlDevice_t device = nullptr;
    PEERPROOF_ASK(nvmlDeviceGetHandleByUUID, text, &device);
    return device;
}

nvmlEventSet_t events_wanted = nullptr;

}  // namespace

Steps health_steps() {
    return {
        {"readings",  // GPU: temperature, SM and memory clock, power, throttle reasons
         [](const Words& w) {
             const nvmlDevice_t device = device_of(integer(w, 1));
             unsigned celsius = 0, sm = 0, memory = 0, power = 0;
             unsigned long long reasons = 0;
             const int error = PEERPROOF_ASK(nvmlDeviceGetTemperature, device, temperature_of_gpu, &celsius);
             PEERPROOF_ASK(nvmlDeviceGetClockInfo, device, clock_sm, &sm);
             PEERPROOF_ASK(nvmlDeviceGetClockInfo, device, clock_memory, &memory);
             PEERPROOF_ASK(nvmlDeviceGetPowerUsage, device, &power);
             PEERPROOF_ASK(nvmlDeviceGetCurrentClocksEventReasons, device, &reasons);
             return with(error, std::to_string(celsius) + ' ' + std::to_string(sm) + ' ' +
                                    std::to_string(memory) + ' ' + std::to_string(power) + ' ' +
                                    std::to_string(reasons));
         }},
        {"counters",  // GPU: PCIe replays, ECC errors corrected and not, replays of NVLink 0
         [](const Words& w) {
             const nvmlDevice_t device = device_of(integer(w, 1));
             unsigned replays = 0;
             unsigned long long corrected = 0, uncorrected = 0, of_link = 0;
             const int error = PEERPROOF_ASK(nvmlDeviceGetPcieReplayCounter, device, &replays);
             PEERPROOF_ASK(nvmlDeviceGetTotalEccErrors, device, ecc_corrected, since_load, &corrected);
             PEERPROOF_ASK(nvmlDeviceGetTotalEccErrors, device, ecc_uncorrected, since_load, &uncorrected);
             PEERPROOF_ASK(nvmlDeviceGetNvLinkErrorCounter, device, 0u, nvlink_replay, &of_link);
             return with(error, std::to_string(replays) + ' ' + std::to_string(corrected) + ' ' +
                                    std::to_string(uncorrected) + ' ' + std::to_string(of_link));
         }},
        {"want_xid",  // GPU
         [](const Words& w) {
             if (events_wanted == nullptr) PEERPROOF_ASK(nvmlEventSetCreate, &events_wanted);
             return std::to_string(
                 PEERPROOF_ASK(nvmlDeviceRegisterEvents, device_of(integer(w, 1)), event_xid, events_wanted));
         }},
        {"xid",
         [](const Words&) {
             nvmlEventData_t event{};
             const int error = PEERPROOF_ASK(nvmlEventSetWait_v2, events_wanted, &event, 0u);
             const bool is_of_first = event.device == device_of(0);
             return with(error, std::to_string(event.eventData) + (is_of_first ? " of 0" : " of another"));
         }},
    };
}

}  // namespace peerproof::probe
