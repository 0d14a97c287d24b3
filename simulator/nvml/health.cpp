// The calls of NVML about a GPU's health, answered from the bench's [[health]] and what the session has carried.
#include "simulator/health.hpp"

#include <vector>

#include "fixtures/machine/nvml_api.hpp"
#include "simulator/nvml/served.hpp"

using namespace peerproof::simulated;
using namespace peerproof::nvml;

namespace {

// A device is the address of its GPU, as in api.cpp. Success where it says anything of its health.
int find(nvmlDevice_t device, int& gpu) {
    const auto* one = reinterpret_cast<const Gpu*>(device);
    gpu = static_cast<int>(one - bench().gpus);
    if (one < bench().gpus || gpu >= bench().count) return invalid_argument;
    return one->health.nvml ? success : not_supported;
}

template <class Value, class Read>
int answer(nvmlDevice_t device, Value* value, Read read) {
    int gpu = -1;
    if (const int error = find(device, gpu)) return error;
    *value = static_cast<Value>(read(gpu));
    return success;
}

const Health& health_of(int gpu) { return bench().gpus[gpu].health; }
SoFar so_far_of(int gpu) { return so_far(bench(), history(), gpu); }
std::uint64_t count_of(int gpu, Counter which) { return counter(health_of(gpu), so_far_of(gpu), which); }
bool is_hot(int gpu) { return is_throttled(health_of(gpu), so_far_of(gpu)); }
bool has_xid(int gpu) { return had_xid(health_of(gpu), so_far_of(gpu)); }

// What a set waits for: an Xid of these GPUs that they had not had when it was asked for.
using EventSet = std::vector<int>;
EventSet& set_of(nvmlEventSet_t set) { return *reinterpret_cast<EventSet*>(set); }

bool next_event(EventSet& set, nvmlEventData_t& event) {
    for (auto one = set.begin(); one != set.end(); ++one) {
        if (!has_xid(*one)) continue;
        const Gpu& gpu = bench().gpus[*one];
        event = {.device = reinterpret_cast<nvmlDevice_t>(const_cast<Gpu*>(&gpu)),
                 .eventType = event_xid,
                 .eventData = static_cast<unsigned long long>(gpu.health.xid),
                 .gpuInstanceId = ~0u,
                 .computeInstanceId = ~0u};
        set.erase(one);
        return true;
    }
    return false;
}

}  // namespace

extern "C" {

int nvmlDeviceGetTemperature(nvmlDevice_t device, int sensor, unsigned* celsius) {
    if (sensor != temperature_of_gpu) return invalid_argument;
    return answer(device, celsius, [](int gpu) { return temperature(health_of(gpu), so_far_of(gpu)); });
}

int nvmlDeviceGetClockInfo(nvmlDevice_t device, int clock, unsigned* mhz) {
    if (clock != clock_sm && clock != clock_memory) return not_supported;
    return answer(device, mhz, [&](int gpu) {
        const Health& health = health_of(gpu);
        if (clock == clock_memory) return health.memory_clock;
        return is_hot(gpu) ? health.sm_clock / 2 : health.sm_clock;
    });
}

int nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned* milliwatts) {
    return answer(device, milliwatts, [](int gpu) { return health_of(gpu).power * 1000; });
}

int nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long* reasons) {
    return answer(device, reasons, [](int gpu) { return is_hot(gpu) ? slowed_by_heat : 0; });
}
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long* reasons) {
    return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

int nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned* count) {
    return answer(device, count, [](int gpu) { return count_of(gpu, Counter::pcie_replays); });
}

int nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, int of_errors, int counted, unsigned long long* count) {
    if ((of_errors != ecc_corrected && of_errors != ecc_uncorrected) ||
        (counted != since_load && counted != since_made))
        return invalid_argument;
    const Counter which = of_errors == ecc_corrected ? Counter::ecc_corrected : Counter::ecc_uncorrected;
    return answer(device, count, [&](int gpu) { return count_of(gpu, which); });
}

// All errors of a GPU are on its first link.
int nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned link, int which,
                                    unsigned long long* count) {
    int gpu = -1;
    if (const int error = find(device, gpu)) return error;
    const int links = bench().gpus[gpu].link.nvlinks;
    if (links == 0) return not_supported;
    if (link >= static_cast<unsigned>(links) || which < nvlink_replay || which > nvlink_crc_data)
        return invalid_argument;
    *count = link == 0 && which == nvlink_replay ? count_of(gpu, Counter::nvlink_replays) : 0;
    return success;
}

int nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long* types) {
    return answer(device, types, [](int) { return event_xid; });
}

int nvmlEventSetCreate(nvmlEventSet_t* set) {
    *set = reinterpret_cast<nvmlEventSet_t>(new EventSet);
    return success;
}

int nvmlEventSetFree(nvmlEventSet_t set) {
    delete &set_of(set);
    return success;
}

int nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set) {
    int gpu = -1;
    if (const int error = find(device, gpu)) return error;
    if ((types & ~event_xid) != 0) return not_supported;
    if (types != 0 && !has_xid(gpu)) set_of(set).push_back(gpu);
    return success;
}

// Waits for no event: nothing that this process does not do itself would bring one.
int nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t* event, unsigned) {
    return next_event(set_of(set), *event) ? success : timeout;
}

}  // extern "C"
