// Memory pools in another process: a file descriptor for the pool, 64 bytes for each pointer.
#include <cstring>

#include "simulator/context.hpp"
#include "simulator/pools.hpp"

using namespace peerproof::simulated;

namespace {

static_assert(sizeof(Handle) == sizeof(cudaMemPoolPtrExportData));

cudaError_t export_pool(void* into, cudaMemPool_t handle, cudaMemAllocationHandleType type, unsigned flags) {
    if (into == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = pools_ready()) return error;
    const std::lock_guard lock(the_pools().mutex);
    const Pool* pool = the_pools().find(handle);
    if (pool == nullptr || type != cudaMemHandleTypePosixFileDescriptor || !pool->is_shareable)
        return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMemPoolExportToShareableHandle", pool->gpu)) return error;
    const int descriptor = to_descriptor(make_handle(Handle::Kind::pool, pool->gpu, 0, 0, pool->number));
    if (descriptor < 0) return cudaErrorMemoryAllocation;
    std::memcpy(into, &descriptor, sizeof descriptor);
    return cudaSuccess;
}

cudaError_t import_pool(cudaMemPool_t* handle, void* from, cudaMemAllocationHandleType type, unsigned flags) {
    if (handle == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (type != cudaMemHandleTypePosixFileDescriptor) return cudaErrorNotSupported;
    if (const cudaError_t error = notice_faults()) return error;
    const auto given = from_descriptor(static_cast<int>(reinterpret_cast<std::intptr_t>(from)));
    if (!given || !open_handle(*given, Handle::Kind::pool)) return cudaErrorInvalidValue;
    if (device_of(given->gpu) == -1) return cudaErrorInvalidDevice;
    if (const cudaError_t error = pool_error("cudaMemPoolImportFromShareableHandle", given->gpu))
        return error;
    if (!the_machine().bench().gpus[given->gpu].fd_handles) return cudaErrorNotSupported;
    const std::lock_guard lock(the_pools().mutex);
    Pool& pool = the_pools().add(given->gpu);
    pool.imported = *given;
    *handle = handle_of(pool);
    return cudaSuccess;
}

cudaError_t export_pointer(cudaMemPoolPtrExportData* data, void* pointer) {
    if (data == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = pools_ready()) return error;
    const std::lock_guard lock(the_pools().mutex);
    const Pools::Allocated* one = the_pools().allocated(pointer);
    if (one == nullptr || !one->pool->is_shareable) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMemPoolExportPointer", one->backing.gpu)) return error;
    const Handle made = make_handle(Handle::Kind::pointer, one->backing.gpu, one->backing.offset, one->bytes,
                                    one->pool->number);
    std::memcpy(data, &made, sizeof made);
    return cudaSuccess;
}

cudaError_t import_pointer(void** pointer, cudaMemPool_t handle, const cudaMemPoolPtrExportData* data) {
    if (pointer == nullptr || data == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = pools_ready()) return error;
    const std::lock_guard lock(the_pools().mutex);
    Pool* pool = the_pools().find(handle);
    if (pool == nullptr || !pool->imported) return cudaErrorInvalidValue;
    if (const cudaError_t error = pool_error("cudaMemPoolImportPointer", pool->gpu)) return error;
    Handle given;
    std::memcpy(&given, data, sizeof given);
    if (given.pid != pool->imported->pid || given.started != pool->imported->started ||
        given.pool != pool->imported->pool)
        return cudaErrorInvalidValue;
    const auto file = open_handle(given, Handle::Kind::pointer);
    if (!file) return cudaErrorInvalidValue;
    return the_pools().show(pointer, given.bytes, *pool, {given.gpu, given.offset, *file});
}

}  // namespace

extern "C" {

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
