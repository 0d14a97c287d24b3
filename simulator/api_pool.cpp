// Memory pools. Each allocation has whole pages and a mapping of its own; what is freed goes back to the GPU as
// soon as its stream has come there, whatever the release threshold says.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "simulator/capture.hpp"
#include "simulator/handles.hpp"
#include "simulator/mappings.hpp"
#include "simulator/peer_access.hpp"
#include "simulator/pools.hpp"
#include "simulator/where.hpp"

namespace peerproof::simulated {
namespace {

struct Pool {
    int gpu;
    bool is_default = false, is_shareable = false;
    bool is_destroyed = false;  // and goes with its last allocation
    std::optional<Handle> imported;
    Access access;
    std::uint64_t most_bytes = 0;  // 0: as much as there is
    std::uint64_t used = 0, most_used = 0, threshold = 0;
    int reuses[3] = {1, 1, 1};
};
struct Allocated {
    std::uint32_t pool;
    std::uint64_t bytes;  // whole pages
    Backing backing;
};
struct Freed {
    std::uint64_t at;
    Allocated allocated;
    int gpu;               // in whose queue
    std::uint32_t number;  // the command that must be done before
};

std::mutex pool_mutex;  // of what follows
std::map<std::uint32_t, Pool> pools;
std::map<std::uint64_t, Allocated> allocations_of_pools;  // by address
std::vector<Freed> freed;
std::uint32_t last_pool = 0;
std::uint32_t default_pools[max_gpus] = {}, current_pools[max_gpus] = {};  // 0: none yet

constexpr std::uint64_t pool_handles = 0x9001'0000'0000;

cudaMemPool_t handle_of(std::uint32_t pool) {
    return reinterpret_cast<cudaMemPool_t>(pool_handles + pool * std::uint64_t{16});
}

std::uint32_t number_of(cudaMemPool_t handle) {
    const auto value = reinterpret_cast<std::uint64_t>(handle) - pool_handles;
    const auto pool = static_cast<std::uint32_t>(value / 16);
    const auto found = value % 16 == 0 && value / 16 <= last_pool ? pools.find(pool) : pools.end();
    return found == pools.end() || found->second.is_destroyed ? 0 : pool;
}

// What every call answers before it does anything: a fault, and 801 where the GPU has no pools.
cudaError_t pools_ready(int owner = -1) {
    if (const cudaError_t error = notice_faults()) return error;
    const Bench& bench = the_machine().bench();
    return bench.gpus[owner == -1 ? current_gpu() : owner].memory_pools ? cudaSuccess : cudaErrorNotSupported;
}

// And what the bench refuses of memory of that GPU, -1 for none in particular.
cudaError_t pool_error(const char* call, int owner = -1) {
    if (const cudaError_t error = pools_ready(owner)) return error;
    return static_cast<cudaError_t>(refusal(the_machine().bench(), call, -1, owner));
}

std::uint32_t add_pool(int gpu) {
    Pool pool{gpu};
    pool.access.readable = pool.access.writable = std::uint64_t{1} << gpu;
    pools.emplace(++last_pool, pool);
    return last_pool;
}

std::uint32_t default_pool(int gpu) {
    if (default_pools[gpu] == 0) {
        default_pools[gpu] = add_pool(gpu);
        pools.at(default_pools[gpu]).is_default = true;
    }
    return default_pools[gpu];
}

std::uint32_t current_pool(int gpu) {
    return number_of(handle_of(current_pools[gpu])) != 0 ? current_pools[gpu] : default_pool(gpu);
}

void remove_if_unused(std::uint32_t number) {
    const auto is_of_it = [&](const auto& each) { return each.second.pool == number; };
    if (pools.at(number).is_destroyed &&
        std::none_of(allocations_of_pools.begin(), allocations_of_pools.end(), is_of_it) &&
        std::none_of(freed.begin(), freed.end(),
                     [&](const Freed& each) { return each.allocated.pool == number; }))
        pools.erase(number);
}

void give_back(std::uint64_t at, const Allocated& one) {
    the_mappings().unmap(*the_mappings().find(at));
    the_mappings().unreserve(at, one.bytes);
    if (one.backing.file == 0) the_machine().release(one.backing.gpu, one.backing.offset);
}

void collect() {
    std::vector<Freed> rest;
    std::vector<std::uint32_t> touched;
    for (const Freed& each : freed) {
        if (!the_machine().finished(each.gpu, each.number)) {
            rest.push_back(each);
            continue;
        }
        give_back(each.at, each.allocated);
        touched.push_back(each.allocated.pool);
    }
    freed = std::move(rest);
    for (const std::uint32_t pool : touched) {
        if (pools.count(pool) != 0) remove_if_unused(pool);
    }
}

// Addresses for memory of the pool, with the access that the pool gives.
cudaError_t show(void** pointer, std::uint32_t number, std::uint64_t bytes, const Backing& backing) {
    Pool& pool = pools.at(number);
    Mappings& mappings = the_mappings();
    const auto at = mappings.reserve(bytes);
    if (!at || !mappings.map(*at, bytes, backing, Way::pool)) return cudaErrorMemoryAllocation;
    set_access(*mappings.find(*at), pool.access);
    allocations_of_pools.emplace(*at, Allocated{number, bytes, backing});
    pool.used += bytes;
    pool.most_used = std::max(pool.most_used, pool.used);
    *pointer = reinterpret_cast<void*>(*at);
    return cudaSuccess;
}

cudaError_t allocate(void** pointer, std::size_t bytes, std::uint32_t number, cudaStream_t stream) {
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    not_modelled_in_graphs(stream, "memory of pools");
    collect();
    Pool& pool = pools.at(number);
    if (pool.imported) return cudaErrorInvalidValue;
    Machine& machine = the_machine();
    if (const int error = machine.bench().gpus[pool.gpu].malloc_error) return static_cast<cudaError_t>(error);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (pool.most_bytes != 0 && (bytes > pool.most_bytes || pool.used > pool.most_bytes - bytes))
        return cudaErrorMemoryAllocation;
    const auto offset = machine.allocate(pool.gpu, bytes, Machine::Kind::mapped);
    if (!offset) return cudaErrorMemoryAllocation;
    const std::uint64_t whole = machine.allocation(pool.gpu, *offset)->bytes;
    const cudaError_t error = show(pointer, number, whole, {pool.gpu, *offset});
    if (error != cudaSuccess) machine.release(pool.gpu, *offset);
    return error;
}

// The memory is gone for the caller now, and for kernels once the queue has come so far.
cudaError_t free_after(void* pointer, int gpu, std::uint32_t posted) {
    const auto found = allocations_of_pools.find(reinterpret_cast<std::uint64_t>(pointer));
    if (found == allocations_of_pools.end()) return cudaErrorInvalidValue;
    pools.at(found->second.pool).used -= found->second.bytes;
    freed.push_back({found->first, found->second, gpu, posted});
    allocations_of_pools.erase(found);
    collect();
    return cudaSuccess;
}

cudaError_t free_in_order(void* pointer, cudaStream_t stream) {
    if (const cudaError_t error = pool_error("cudaFreeAsync")) return error;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    not_modelled_in_graphs(stream, "memory of pools");
    const std::lock_guard lock(pool_mutex);
    return free_after(pointer, queue.gpu, the_machine().posted(queue.gpu));
}

cudaError_t create_pool(cudaMemPool_t* handle, const cudaMemPoolProps* wanted) {
    if (handle == nullptr || wanted == nullptr || wanted->allocType != cudaMemAllocationTypePinned)
        return cudaErrorInvalidValue;
    if (wanted->location.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
    if (!is_device(wanted->location.id)) return cudaErrorInvalidDevice;
    const int gpu = gpu_of(wanted->location.id);
    if (const cudaError_t error = pool_error("cudaMemPoolCreate", gpu)) return error;
    const bool is_shareable = wanted->handleTypes == cudaMemHandleTypePosixFileDescriptor;
    if (wanted->handleTypes != cudaMemHandleTypeNone &&
        (!is_shareable || !the_machine().bench().gpus[gpu].fd_handles))
        return cudaErrorNotSupported;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = add_pool(gpu);
    pools.at(number).is_shareable = is_shareable;
    pools.at(number).most_bytes = wanted->maxSize;
    *handle = handle_of(number);
    return cudaSuccess;
}

cudaError_t destroy_pool(cudaMemPool_t handle) {
    if (const cudaError_t error = pool_error("cudaMemPoolDestroy")) return error;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(handle);
    if (number == 0 || pools.at(number).is_default) return cudaErrorInvalidValue;
    pools.at(number).is_destroyed = true;
    collect();
    if (pools.count(number) != 0) remove_if_unused(number);
    return cudaSuccess;
}

cudaError_t set_pool_access(cudaMemPool_t handle, const cudaMemAccessDesc* wanted, std::size_t count) {
    if (wanted == nullptr || count == 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = pools_ready()) return error;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(handle);
    if (number == 0) return cudaErrorInvalidValue;
    Pool& pool = pools.at(number);
    Access access = pool.access;
    for (std::size_t i = 0; i < count; ++i) {
        const AccessWanted one{wanted[i].location.type, wanted[i].location.id, wanted[i].flags};
        if (const cudaError_t error = access_error("cudaMemPoolSetAccess", pool.gpu, one)) return error;
        if (gpu_of(one.location_id) == pool.gpu && one.flags != cudaMemAccessFlagsProtReadWrite)
            return cudaErrorInvalidValue;  // its own GPU always has it
        give(access, one);
    }
    pool.access = access;
    for (auto& [at, one] : allocations_of_pools) {
        if (one.pool == number) set_access(*the_mappings().find(at), access);
    }
    the_machine().forget_pages();
    return cudaSuccess;
}

cudaError_t get_pool_access(cudaMemAccessFlags* flags, cudaMemPool_t handle, const cudaMemLocation* where) {
    if (flags == nullptr || where == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMemPoolGetAccess")) return error;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(handle);
    if (number == 0) return cudaErrorInvalidValue;
    if (where->type != cudaMemLocationTypeDevice || !is_device(where->id)) return cudaErrorInvalidDevice;
    *flags = static_cast<cudaMemAccessFlags>(flags_of(pools.at(number).access, gpu_of(where->id)));
    return cudaSuccess;
}

template <class T>
void exchange(T& kept, void* value, bool set) {
    set ? std::memcpy(&kept, value, sizeof kept) : std::memcpy(value, &kept, sizeof kept);
}

cudaError_t attribute_of_pool(const char* call, cudaMemPool_t handle, cudaMemPoolAttr which, void* value,
                              bool set) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error(call)) return error;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(handle);
    if (number == 0) return cudaErrorInvalidValue;
    Pool& pool = pools.at(number);
    switch (which) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            exchange(pool.reuses[which - cudaMemPoolReuseFollowEventDependencies], value, set);
            return cudaSuccess;
        case cudaMemPoolAttrReleaseThreshold:
            exchange(pool.threshold, value, set);
            return cudaSuccess;
        case cudaMemPoolAttrReservedMemCurrent:
        case cudaMemPoolAttrUsedMemCurrent:
            if (set) return cudaErrorInvalidValue;
            exchange(pool.used, value, false);
            return cudaSuccess;
        case cudaMemPoolAttrReservedMemHigh:
        case cudaMemPoolAttrUsedMemHigh: {
            std::uint64_t zero = 0;
            if (set && std::memcmp(value, &zero, sizeof zero) != 0) return cudaErrorInvalidValue;
            exchange(pool.most_used, value, set);
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

cudaError_t export_pool(void* into, cudaMemPool_t handle, cudaMemAllocationHandleType type, unsigned flags) {
    if (into == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMemPoolExportToShareableHandle")) return error;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(handle);
    if (number == 0 || type != cudaMemHandleTypePosixFileDescriptor || !pools.at(number).is_shareable)
        return cudaErrorInvalidValue;
    const int descriptor = to_descriptor(make_handle(Handle::Kind::pool, pools.at(number).gpu, 0, 0, number));
    if (descriptor < 0) return cudaErrorMemoryAllocation;
    std::memcpy(into, &descriptor, sizeof descriptor);
    return cudaSuccess;
}

cudaError_t import_pool(cudaMemPool_t* handle, void* from, cudaMemAllocationHandleType type, unsigned flags) {
    if (handle == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (type != cudaMemHandleTypePosixFileDescriptor) return cudaErrorNotSupported;
    const auto given = from_descriptor(static_cast<int>(reinterpret_cast<std::intptr_t>(from)));
    if (!given || !open_handle(*given, Handle::Kind::pool)) return cudaErrorInvalidValue;
    if (device_of(given->gpu) == -1) return cudaErrorInvalidDevice;
    if (const cudaError_t error = pool_error("cudaMemPoolImportFromShareableHandle", given->gpu))
        return error;
    if (!the_machine().bench().gpus[given->gpu].fd_handles) return cudaErrorNotSupported;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = add_pool(given->gpu);
    pools.at(number).imported = *given;
    *handle = handle_of(number);
    return cudaSuccess;
}

cudaError_t export_pointer(cudaMemPoolPtrExportData* data, void* pointer) {
    static_assert(sizeof(Handle) == sizeof(cudaMemPoolPtrExportData));
    if (data == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(pool_mutex);
    const auto found = allocations_of_pools.find(reinterpret_cast<std::uint64_t>(pointer));
    if (found == allocations_of_pools.end()) return cudaErrorInvalidValue;
    const Allocated& one = found->second;
    if (const cudaError_t error = pool_error("cudaMemPoolExportPointer", one.backing.gpu)) return error;
    if (!pools.at(one.pool).is_shareable) return cudaErrorInvalidValue;
    const Handle made =
        make_handle(Handle::Kind::pointer, one.backing.gpu, one.backing.offset, one.bytes, one.pool);
    std::memcpy(data, &made, sizeof made);
    return cudaSuccess;
}

cudaError_t import_pointer(void** pointer, cudaMemPool_t handle, const cudaMemPoolPtrExportData* data) {
    if (pointer == nullptr || data == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(handle);
    if (number == 0 || !pools.at(number).imported) return cudaErrorInvalidValue;
    const Handle& pool = *pools.at(number).imported;
    if (const cudaError_t error = pool_error("cudaMemPoolImportPointer", pool.gpu)) return error;
    Handle given;
    std::memcpy(&given, data, sizeof given);
    if (given.pid != pool.pid || given.started != pool.started || given.pool != pool.pool)
        return cudaErrorInvalidValue;
    const auto file = open_handle(given, Handle::Kind::pointer);
    if (!file) return cudaErrorInvalidValue;
    return show(pointer, number, given.bytes, {given.gpu, given.offset, *file});
}

cudaError_t pool_of_device(const char* call, cudaMemPool_t* handle, int device, std::uint32_t (*which)(int)) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = context_error()) return error;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (const cudaError_t error = pool_error(call, gpu_of(device))) return error;
    const std::lock_guard lock(pool_mutex);
    *handle = handle_of(which(gpu_of(device)));
    return cudaSuccess;
}

}  // namespace

cudaError_t free_of_pool(void* pointer) {
    const std::lock_guard lock(pool_mutex);
    return free_after(pointer, current_gpu(), 0);  // cudaFree has waited for everything
}

void collect_freed() {
    const std::lock_guard lock(pool_mutex);
    collect();
}

}  // namespace peerproof::simulated

using namespace peerproof::simulated;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return finish(pool_of_device("cudaDeviceGetDefaultMemPool", pool, device, default_pool));
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return finish(pool_of_device("cudaDeviceGetMemPool", pool, device, current_pool));
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (!is_device(device)) return finish(cudaErrorInvalidDevice);
    if (const cudaError_t error = pool_error("cudaDeviceSetMemPool", gpu_of(device))) return finish(error);
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(pool);
    if (number == 0 || pools.at(number).gpu != gpu_of(device) || pools.at(number).imported)
        return finish(cudaErrorInvalidValue);
    current_pools[gpu_of(device)] = number;
    return finish(cudaSuccess);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
    return finish(create_pool(pool, properties));
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) { return finish(destroy_pool(pool)); }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, std::size_t count) {
    return finish(set_pool_access(pool, list, count));
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    return finish(get_pool_access(flags, pool, location));
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
    return finish(attribute_of_pool("cudaMemPoolSetAttribute", pool, which, value, true));
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
    return finish(attribute_of_pool("cudaMemPoolGetAttribute", pool, which, value, false));
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    if (const cudaError_t error = pool_error("cudaMemPoolTrimTo")) return finish(error);
    const std::lock_guard lock(pool_mutex);
    if (number_of(pool) == 0) return finish(cudaErrorInvalidValue);
    collect();
    return finish(cudaSuccess);
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    if (pointer == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    Stream queue{};
    if (!find_stream(stream, queue)) return finish(cudaErrorInvalidResourceHandle);
    not_modelled_in_graphs(stream, "memory of pools");
    if (const cudaError_t error = pool_error("cudaMallocAsync", queue.gpu)) return finish(error);
    const std::lock_guard lock(pool_mutex);
    return finish(allocate(pointer, bytes, current_pool(queue.gpu), stream));
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    if (pointer == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    const std::lock_guard lock(pool_mutex);
    const std::uint32_t number = number_of(pool);
    if (number == 0) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = pool_error("cudaMallocFromPoolAsync", pools.at(number).gpu))
        return finish(error);
    return finish(allocate(pointer, bytes, number, stream));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return finish(free_in_order(pointer, stream));
}

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type, unsigned flags) {
    return finish(export_pool(handle, pool, type, flags));
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle,
                                                 cudaMemAllocationHandleType type, unsigned flags) {
    return finish(import_pool(pool, handle, type, flags));
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
    return finish(export_pointer(data, pointer));
}
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool, cudaMemPoolPtrExportData* data) {
    return finish(import_pointer(pointer, pool, data));
}

}  // extern "C"
