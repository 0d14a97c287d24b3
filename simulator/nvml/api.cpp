// The calls of NVML that the suite makes, answered from the bench's [links] and [hints], by the declarations
// that the suite asks by.
#include <cstdio>
#include <cstring>

#include "fixtures/machine/nvml_api.hpp"
#include "simulator/nvml/served.hpp"

using namespace peerproof::simulated;
using namespace peerproof::nvml;

namespace {

// A device is the address of its GPU.
using Device = const Gpu*;

Device gpu_of(nvmlDevice_t device) { return reinterpret_cast<Device>(device); }

int index_of(Device device) { return static_cast<int>(device - bench().gpus); }
bool is_device(Device device) { return device >= bench().gpus && index_of(device) < bench().count; }

void uuid_of(const Gpu& gpu, char* text, std::size_t room) {
    const std::uint8_t* u = gpu.uuid;
    std::snprintf(text, room, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                  u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13],
                  u[14], u[15]);
}

// The GPU at the other end of a link that goes to peers: the one that is named, or the others in turn.
int peer_of(int gpu, unsigned link) {
    if (const int named = bench().gpus[gpu].link.nvlink_peer[link]; named > 0) return named - 1;
    const int others = bench().count - 1;
    return others < 1 ? -1 : (gpu + 1 + static_cast<int>(link) % others) % bench().count;
}

bool is_link(Device device, unsigned link) {
    return is_device(device) && link < static_cast<unsigned>(device->link.nvlinks);
}

bool to_switch(Device device, unsigned link) {
    return device->link.nvlink_peer[link] == 0 && device->link.nvlink_to_switch;
}

int copy_text(const char* from, char* to, unsigned room) {
    if (std::strlen(from) >= room) return invalid_argument;
    std::strcpy(to, from);
    return success;
}

}  // namespace

extern "C" {

int nvmlInit_v2(void) { return bench().said.nvml ? success : library_not_found; }
int nvmlShutdown(void) { return success; }

const char* nvmlErrorString(int code) {
    switch (code) {
        case success:
            return "Success";
        case invalid_argument:
            return "Invalid Argument";
        case not_supported:
            return "Not Supported";
        case not_found:
            return "Not Found";
        case timeout:
            return "Timeout";
        case library_not_found:
            return "NVML Shared Library Not Found";
        default:
            return "Unknown Error";
    }
}

int nvmlSystemGetDriverVersion(char* version, unsigned room) {
    return copy_text(bench().said.driver_version, version, room);
}

int nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
    for (int gpu = 0; gpu < bench().count; ++gpu) {
        char text[64];
        uuid_of(bench().gpus[gpu], text, sizeof text);
        if (std::strcmp(text, uuid) != 0) continue;
        *device = reinterpret_cast<nvmlDevice_t>(const_cast<Gpu*>(&bench().gpus[gpu]));
        return success;
    }
    return not_found;
}

int nvmlDeviceGetP2PStatus(nvmlDevice_t the_a, nvmlDevice_t the_b, int capability, int* status) {
    const Device a = gpu_of(the_a);
    const Device b = gpu_of(the_b);
    if (!is_device(a) || !is_device(b) || a == b || capability < 0 || capability > 4) return invalid_argument;
    const Path& path = bench().paths[index_of(a)][index_of(b)];
    *status = path.p2p_status != as_capability ? path.p2p_status : path.can_access ? 0 : 1;
    return success;
}

int nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t the_a, nvmlDevice_t the_b, int* level) {
    const Device a = gpu_of(the_a);
    const Device b = gpu_of(the_b);
    if (!is_device(a) || !is_device(b) || a == b) return invalid_argument;
    *level = bench().paths[index_of(a)][index_of(b)].topology;
    return success;
}

int nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t the_device, nvmlBAR1Memory_t* bar1) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    const auto mib = static_cast<unsigned long long>(device->said.bar1_mib);
    bar1->bar1Total = mib != 0 ? mib << 20 : device->memory;
    bar1->bar1Used = 0;
    bar1->bar1Free = bar1->bar1Total;
    return success;
}

int nvmlDeviceGetNvLinkState(nvmlDevice_t the_device, unsigned link, int* active) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    if (device->link.nvlinks == 0) return not_supported;
    if (!is_link(device, link)) return invalid_argument;
    *active = 1;
    return success;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t the_device, unsigned link, nvmlPciInfo_t* info) {
    const Device device = gpu_of(the_device);
    if (!is_link(device, link)) return invalid_argument;
    *info = {};
    info->bus = 0xd0;  // the switch
    if (!to_switch(device, link)) {
        const int peer = peer_of(index_of(device), link);
        if (peer < 0) return not_supported;
        const Gpu& gpu = bench().gpus[peer];
        info->domain = static_cast<unsigned>(gpu.domain);
        info->bus = static_cast<unsigned>(gpu.bus);
        info->device = static_cast<unsigned>(gpu.device);
    }
    return success;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t the_device, unsigned link, int* kind) {
    const Device device = gpu_of(the_device);
    if (!is_link(device, link)) return invalid_argument;
    *kind = to_switch(device, link) ? remote_switch : remote_gpu;
    return success;
}

int nvmlDeviceGetFieldValues(nvmlDevice_t the_device, int count, nvmlFieldValue_t* values) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    for (int i = 0; i < count; ++i) {
        nvmlFieldValue_t& one = values[i];
        const bool has_links = device->link.nvlinks > 0;
        one.nvmlReturn = has_links ? success : not_supported;
        one.value.ullVal = 0;
        if (one.fieldId == field_link_count)
            one.value.uiVal = static_cast<unsigned>(device->link.nvlinks);
        else if (one.fieldId == field_speed_common ||
                 (one.fieldId == field_link_speed && is_link(device, one.scopeId)))
            one.value.uiVal = static_cast<unsigned>(device->link.nvlink_mb_per_s);
        else
            one.nvmlReturn = not_supported;
    }
    return success;
}

int nvmlDeviceGetC2cModeInfoV(nvmlDevice_t the_device, nvmlC2cModeInfo_v1_t* info) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    if (!device->link.c2c) return not_supported;
    info->isC2cEnabled = 1;
    return success;
}

int nvmlDeviceGetComputeMode(nvmlDevice_t the_device, int* mode) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    *mode = device->said.compute_mode;
    return success;
}

int nvmlDeviceGetMigMode(nvmlDevice_t the_device, unsigned* current, unsigned* pending) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    *current = *pending = static_cast<unsigned>(device->said.mig);
    return success;
}

int nvmlDeviceGetVirtualizationMode(nvmlDevice_t the_device, int* mode) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    *mode = device->said.virtualisation;
    return success;
}

int nvmlDeviceGetVbiosVersion(nvmlDevice_t the_device, char* version, unsigned room) {
    const Device device = gpu_of(the_device);
    if (!is_device(device)) return invalid_argument;
    return copy_text(bench().said.vbios, version, room);
}

}  // extern "C"
