// Memory pools: making them, who may reach them, and memory of them.
#include <cstring>

#include "simulator/capture.hpp"
#include "simulator/context.hpp"
#include "simulator/pools.hpp"

using namespace peerproof::simulated;

namespace {

constexpr const char* memory_of_pools = "memory of pools";  // what a graph does not have here

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
    const std::lock_guard lock(the_pools().mutex);
    Pool& pool = the_pools().add(gpu);
    pool.is_shareable = is_shareable;
    pool.most_bytes = wanted->maxSize;
    *handle = handle_of(pool);
    return cudaSuccess;
}

cudaError_t destroy_pool(cudaMemPool_t handle) {
    if (const cudaError_t error = pool_error("cudaMemPoolDestroy")) return error;
    const std::lock_guard lock(the_pools().mutex);
    Pool* pool = the_pools().find(handle);
    if (pool == nullptr || pool->is_default) return cudaErrorInvalidValue;
    the_pools().destroy(*pool);
    return cudaSuccess;
}

cudaError_t set_pool_access(cudaMemPool_t handle, const cudaMemAccessDesc* wanted, std::size_t count) {
    if (wanted == nullptr || count == 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = pools_ready()) return error;
    const std::lock_guard lock(the_pools().mutex);
    Pool* pool = the_pools().find(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    Access access = pool->access;
    for (std::size_t i = 0; i < count; ++i) {
        const AccessWanted one{wanted[i].location.type, wanted[i].location.id, wanted[i].flags};
        if (const cudaError_t error = access_error("cudaMemPoolSetAccess", pool->gpu, one)) return error;
        if (gpu_of(one.location_id) == pool->gpu && one.flags != cudaMemAccessFlagsProtReadWrite)
            return cudaErrorInvalidDevice;  // its own GPU always has it (rapidsai/rmm#1753)
        give(access, one);
    }
    the_pools().set_access(*pool, access);
    return cudaSuccess;
}

cudaError_t get_pool_access(cudaMemAccessFlags* flags, cudaMemPool_t handle, const cudaMemLocation* where) {
    if (flags == nullptr || where == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMemPoolGetAccess")) return error;
    const std::lock_guard lock(the_pools().mutex);
    const Pool* pool = the_pools().find(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (where->type != cudaMemLocationTypeDevice || !is_device(where->id)) return cudaErrorInvalidDevice;
    *flags = static_cast<cudaMemAccessFlags>(flags_of(pool->access, gpu_of(where->id)));
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
    Pools& pools = the_pools();
    const std::lock_guard lock(pools.mutex);
    Pool* const found = pools.find(handle);
    if (found == nullptr) return cudaErrorInvalidValue;
    Pool& pool = *found;
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

cudaError_t pool_of_device(const char* call, cudaMemPool_t* handle, int device, Pool& (Pools::*which)(int)) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = context_error()) return error;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (const cudaError_t error = pool_error(call, gpu_of(device))) return error;
    const std::lock_guard lock(the_pools().mutex);
    *handle = handle_of((the_pools().*which)(gpu_of(device)));
    return cudaSuccess;
}

cudaError_t set_pool_of_device(int device, cudaMemPool_t handle) {
    if (const cudaError_t error = context_error()) return error;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (const cudaError_t error = pool_error("cudaDeviceSetMemPool", gpu_of(device))) return error;
    const std::lock_guard lock(the_pools().mutex);
    const Pool* pool = the_pools().find(handle);
    if (pool == nullptr || pool->gpu != gpu_of(device) || pool->imported) return cudaErrorInvalidValue;
    the_pools().make_current(*pool);
    return cudaSuccess;
}

cudaError_t trim_pool(cudaMemPool_t handle) {
    if (const cudaError_t error = pool_error("cudaMemPoolTrimTo")) return error;
    const std::lock_guard lock(the_pools().mutex);
    if (the_pools().find(handle) == nullptr) return cudaErrorInvalidValue;
    the_pools().collect();
    return cudaSuccess;
}

cudaError_t allocate_in_order(void** pointer, std::size_t bytes, cudaStream_t stream) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = context_error()) return error;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    not_modelled_in_graphs(stream, memory_of_pools);
    if (const cudaError_t error = pool_error("cudaMallocAsync", queue.gpu)) return error;
    const std::lock_guard lock(the_pools().mutex);
    return the_pools().allocate(pointer, bytes, the_pools().current_of(queue.gpu));
}

cudaError_t allocate_from_pool(void** pointer, std::size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = context_error()) return error;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    not_modelled_in_graphs(stream, memory_of_pools);
    const std::lock_guard lock(the_pools().mutex);
    Pool* pool = the_pools().find(handle);
    if (pool == nullptr || pool->imported) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMallocFromPoolAsync", pool->gpu)) return error;
    return the_pools().allocate(pointer, bytes, *pool);
}

cudaError_t free_in_order(void* pointer, cudaStream_t stream) {
    if (const cudaError_t error = pool_error("cudaFreeAsync")) return error;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    not_modelled_in_graphs(stream, memory_of_pools);
    const std::lock_guard lock(the_pools().mutex);
    return the_pools().free_after(pointer, queue.gpu, the_machine().posted(queue.gpu));
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return finish(pool_of_device("cudaDeviceGetDefaultMemPool", pool, device, &Pools::default_of));
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return finish(pool_of_device("cudaDeviceGetMemPool", pool, device, &Pools::current_of));
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return finish(set_pool_of_device(device, pool));
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
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) { return finish(trim_pool(pool)); }

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    return finish(allocate_in_order(pointer, bytes, stream));
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    return finish(allocate_from_pool(pointer, bytes, pool, stream));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return finish(free_in_order(pointer, stream));
}

}  // extern "C"
