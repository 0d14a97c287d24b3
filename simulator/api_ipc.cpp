// CUDA IPC: memory that cudaMalloc gave to another process. Event handles are not modelled.
#include <cstring>
#include <map>
#include <mutex>

#include "simulator/context.hpp"
#include "simulator/handles.hpp"
#include "simulator/mappings.hpp"
#include "simulator/peer_access.hpp"
#include "simulator/where.hpp"

using namespace peerproof::simulated;

namespace {

static_assert(sizeof(Handle) == sizeof(cudaIpcMemHandle_t));

struct Opened {
    int gpu;  // whose address space it is in
    Handle handle;
    int count;
};
std::mutex ipc_mutex;                         // of what follows
std::map<std::uint64_t, Opened> opened;       // by address
int lazily_enabled[max_gpus][max_gpus] = {};  // [actor][owner]: openings that hold peer access

bool is_same_handle(const Handle& one, const Handle& other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
}

cudaError_t get_handle(cudaIpcMemHandle_t* handle, void* pointer) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = notice_faults()) return error;
    const Where where = where_is(pointer);
    if (!where.is_gpu() || where.mapped || !holds(where, 1)) return cudaErrorInvalidValue;
    if (const int error = refusal(the_machine().bench(), "cudaIpcGetMemHandle", -1, where.region))
        return static_cast<cudaError_t>(error);
    const auto all = the_machine().allocation(where.region, where.offset);
    const Handle made = make_handle(Handle::Kind::ipc, where.region, all->offset, all->bytes);
    std::memcpy(handle, &made, sizeof made);
    return cudaSuccess;
}

// Peer access for as long as the opening lives, where nobody has enabled it before.
cudaError_t enable_lazily(int actor, int owner) {
    if (actor == owner) return cudaSuccess;
    if (device_of(owner) == -1) return cudaErrorPeerAccessUnsupported;
    if (is_enabled(actor, owner) && lazily_enabled[actor][owner] == 0) return cudaSuccess;
    if (lazily_enabled[actor][owner] == 0) {
        const Path& path = the_machine().bench().paths[actor][owner];
        if (path.enable == 0 && !path.can_access) return cudaErrorPeerAccessUnsupported;
        if (const cudaError_t error = enable_peer_access(actor, owner)) return error;
    }
    ++lazily_enabled[actor][owner];
    return cudaSuccess;
}

void close_lazily(int actor, int owner) {
    if (actor == owner || lazily_enabled[actor][owner] == 0) return;
    if (--lazily_enabled[actor][owner] == 0) the_machine().control().enabled_at[actor][owner] = 0;
}

cudaError_t open_memory(void** pointer, const cudaIpcMemHandle_t& given, unsigned flags) {
    if (pointer == nullptr || flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
    if (const cudaError_t error = notice_faults()) return error;
    Handle handle;
    std::memcpy(&handle, &given, sizeof handle);
    const std::lock_guard lock(ipc_mutex);
    const int actor = current_gpu();
    for (auto& [at, each] : opened) {
        if (each.gpu != actor || !is_same_handle(each.handle, handle)) continue;
        ++each.count;
        *pointer = reinterpret_cast<void*>(at);
        return cudaSuccess;
    }
    if (is_of_this_process(handle)) return cudaErrorDeviceUninitialized;
    const auto file = open_handle(handle, Handle::Kind::ipc);
    if (!file) return cudaErrorInvalidResourceHandle;
    if (const int error = refusal(the_machine().bench(), "cudaIpcOpenMemHandle", actor, handle.gpu))
        return static_cast<cudaError_t>(error);
    if (const cudaError_t error = enable_lazily(actor, handle.gpu)) return error;
    Mappings& mappings = the_mappings();
    const auto at = mappings.reserve(handle.bytes);
    if (!at || !mappings.map(*at, handle.bytes, {handle.gpu, handle.offset, *file}, Way::ipc)) {
        close_lazily(actor, handle.gpu);
        return cudaErrorMapBufferObjectFailed;
    }
    opened.emplace(*at, Opened{actor, handle, 1});
    *pointer = reinterpret_cast<void*>(*at);
    return cudaSuccess;
}

cudaError_t close_memory(void* pointer) {
    if (const cudaError_t error = context_error()) return error;
    the_machine().wait_all();
    if (const cudaError_t error = notice_faults()) return error;
    const std::lock_guard lock(ipc_mutex);
    const auto found = opened.find(reinterpret_cast<std::uint64_t>(pointer));
    if (found == opened.end()) return cudaErrorInvalidValue;
    auto& [at, one] = *found;
    if (const int error = refusal(the_machine().bench(), "cudaIpcCloseMemHandle", one.gpu, one.handle.gpu))
        return static_cast<cudaError_t>(error);
    if (--one.count > 0) return cudaSuccess;
    the_mappings().unmap(*the_mappings().find(at));
    the_mappings().unreserve(at, one.handle.bytes);
    close_lazily(one.gpu, one.handle.gpu);
    opened.erase(found);
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
    return finish(get_handle(handle, pointer));
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
    return finish(open_memory(pointer, handle, flags));
}
cudaError_t cudaIpcCloseMemHandle(void* pointer) { return finish(close_memory(pointer)); }

}  // extern "C"
