// The calls of NVML that the suite makes, answered from the bench's [links] and [hints]. There is no header
// to hold them to: numbers and structures are those of NVML's API reference, as in fixtures/machine/nvml.cpp.
#include <cstdio>
#include <cstring>

#include "simulator/bench.hpp"

using namespace peerproof::simulated;

extern "C" const Bench* peerproof_simulated_bench_file(void);

namespace {

constexpr int success = 0, invalid_argument = 2, not_supported = 3, not_found = 6, library_not_found = 12;

const Bench& bench() { return *peerproof_simulated_bench_file(); }

// A device is the address of its card.
using Device = const Card*;

int index_of(Device device) { return static_cast<int>(device - bench().cards); }
bool is_device(Device device) { return device >= bench().cards && index_of(device) < bench().count; }

void uuid_of(const Card& card, char* text, std::size_t room) {
    const std::uint8_t* u = card.uuid;
    std::snprintf(text, room, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                  u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13],
                  u[14], u[15]);
}

// The card at the other end of a link that goes to peers: the one that is named, or the others in turn.
int peer_of(int card, unsigned link) {
    if (const int named = bench().cards[card].link.nvlink_peer[link]; named > 0) return named - 1;
    const int others = bench().count - 1;
    return others < 1 ? -1 : (card + 1 + static_cast<int>(link) % others) % bench().count;
}

bool is_link(Device device, unsigned link) {
    return is_device(device) && link < static_cast<unsigned>(device->link.nvlinks);
}

bool to_switch(Device device, unsigned link) {
    return device->link.nvlink_peer[link] == 0 && device->link.nvlink_to_switch;
}

struct PciInfo {
    char legacy_bus_id[16];
    unsigned domain, bus, device, device_id, subsystem_id;
    char bus_id[32];
};

struct FieldValue {
    unsigned field, scope;
    long long timestamp, latency_us;
    unsigned type;
    int result;
    union {
        unsigned u;
        unsigned long long ull;
    } value;
};

struct Bar1 {
    unsigned long long total, free, used;
};

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
        case library_not_found:
            return "NVML Shared Library Not Found";
        default:
            return "Unknown Error";
    }
}

int nvmlSystemGetDriverVersion(char* version, unsigned room) {
    return copy_text(bench().said.driver_version, version, room);
}

int nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
    for (int card = 0; card < bench().count; ++card) {
        char text[64];
        uuid_of(bench().cards[card], text, sizeof text);
        if (std::strcmp(text, uuid) != 0) continue;
        *device = &bench().cards[card];
        return success;
    }
    return not_found;
}

int nvmlDeviceGetP2PStatus(Device a, Device b, int capability, int* status) {
    if (!is_device(a) || !is_device(b) || a == b || capability < 0 || capability > 4) return invalid_argument;
    const Road& road = bench().roads[index_of(a)][index_of(b)];
    *status = road.p2p_status != as_capability ? road.p2p_status : road.can_access ? 0 : 1;
    return success;
}

int nvmlDeviceGetTopologyCommonAncestor(Device a, Device b, int* level) {
    if (!is_device(a) || !is_device(b) || a == b) return invalid_argument;
    *level = bench().roads[index_of(a)][index_of(b)].topology;
    return success;
}

int nvmlDeviceGetBAR1MemoryInfo(Device device, Bar1* bar1) {
    if (!is_device(device)) return invalid_argument;
    const auto mib = static_cast<unsigned long long>(device->said.bar1_mib);
    bar1->total = mib != 0 ? mib << 20 : device->memory;
    bar1->used = 0;
    bar1->free = bar1->total;
    return success;
}

int nvmlDeviceGetNvLinkState(Device device, unsigned link, int* active) {
    if (!is_device(device)) return invalid_argument;
    if (device->link.nvlinks == 0) return not_supported;
    if (!is_link(device, link)) return invalid_argument;
    *active = 1;
    return success;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(Device device, unsigned link, PciInfo* info) {
    if (!is_link(device, link)) return invalid_argument;
    *info = {};
    info->bus = 0xd0;  // the switch
    if (!to_switch(device, link)) {
        const int peer = peer_of(index_of(device), link);
        if (peer < 0) return not_supported;
        const Card& card = bench().cards[peer];
        info->domain = static_cast<unsigned>(card.domain);
        info->bus = static_cast<unsigned>(card.bus);
        info->device = static_cast<unsigned>(card.device);
    }
    return success;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(Device device, unsigned link, int* kind) {
    if (!is_link(device, link)) return invalid_argument;
    *kind = to_switch(device, link) ? 2 : 0;
    return success;
}

int nvmlDeviceGetFieldValues(Device device, int count, FieldValue* values) {
    if (!is_device(device)) return invalid_argument;
    constexpr unsigned speed_common = 90, link_count = 91, link_speed = 164;
    for (int i = 0; i < count; ++i) {
        FieldValue& one = values[i];
        const bool has_links = device->link.nvlinks > 0;
        one.result = has_links ? success : not_supported;
        one.value.ull = 0;
        if (one.field == link_count)
            one.value.u = static_cast<unsigned>(device->link.nvlinks);
        else if (one.field == speed_common || (one.field == link_speed && is_link(device, one.scope)))
            one.value.u = static_cast<unsigned>(device->link.nvlink_mb_per_s);
        else
            one.result = not_supported;
    }
    return success;
}

int nvmlDeviceGetC2cModeInfoV(Device device, unsigned* enabled) {
    if (!is_device(device)) return invalid_argument;
    if (!device->link.c2c) return not_supported;
    *enabled = 1;
    return success;
}

int nvmlDeviceGetComputeMode(Device device, int* mode) {
    if (!is_device(device)) return invalid_argument;
    *mode = device->said.compute_mode;
    return success;
}

int nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
    if (!is_device(device)) return invalid_argument;
    *current = *pending = static_cast<unsigned>(device->said.mig);
    return success;
}

int nvmlDeviceGetVirtualizationMode(Device device, int* mode) {
    if (!is_device(device)) return invalid_argument;
    *mode = device->said.virtualisation;
    return success;
}

int nvmlDeviceGetVbiosVersion(Device device, char* version, unsigned room) {
    if (!is_device(device)) return invalid_argument;
    return copy_text(bench().said.vbios, version, room);
}

}  // extern "C"
