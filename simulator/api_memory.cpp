// Memory: allocation, and what a pointer is.
#include <sys/mman.h>

#include "simulator/capture.hpp"
#include "simulator/pools.hpp"
#include "simulator/where.hpp"

using namespace peerproof::simulated;

namespace {

cudaError_t allocate_host(void** pointer, std::size_t bytes) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = notice_faults()) return error;
    if (const cudaError_t error = unsafe_while_capturing()) return error;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    Machine& machine = the_machine();
    const auto offset = machine.allocate(host_region, bytes);
    if (!offset) return cudaErrorMemoryAllocation;
    const std::uint64_t length = machine.allocation(host_region, *offset)->bytes;
    void* mapped = mmap(pointer_to(host_region, *offset), length, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, machine.store(),
                        static_cast<off_t>(place_of(host_region) + *offset));
    if (mapped == MAP_FAILED) die("pinned host memory could not be mapped at its fixed address");
    *pointer = mapped;
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    if (pointer == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = notice_faults()) return finish(error);
    if (const cudaError_t error = unsafe_while_capturing()) return finish(error);
    Machine& machine = the_machine();
    const int gpu = current_gpu();
    if (const int error = machine.bench().gpus[gpu].malloc_error)
        return finish(static_cast<cudaError_t>(error));
    collect_freed();
    *pointer = nullptr;
    if (bytes == 0) return finish(cudaSuccess);
    const auto offset = machine.allocate(gpu, bytes);
    if (!offset) return finish(cudaErrorMemoryAllocation);
    *pointer = pointer_to(gpu, *offset);
    return finish(cudaSuccess);
}

cudaError_t cudaFree(void* pointer) {
    if (const cudaError_t error = context_error()) return finish(error);
    if (pointer == nullptr) return finish(notice_faults());
    if (const cudaError_t error = unsafe_while_capturing()) return finish(error);
    the_machine().wait_all();
    if (const cudaError_t error = notice_faults()) return finish(error);
    const Where where = where_is(pointer);
    if (where.mapped) return finish(free_of_pool(pointer));
    if (!where.is_gpu() || !holds(where, 1) || !the_machine().release(where.region, where.offset))
        return finish(cudaErrorInvalidValue);
    the_machine().forget_pages();
    return finish(cudaSuccess);
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return finish(allocate_host(pointer, bytes));
}
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    return finish(allocate_host(pointer, bytes));
}

cudaError_t cudaFreeHost(void* pointer) {
    if (const cudaError_t error = context_error()) return finish(error);
    if (pointer == nullptr) return finish(cudaSuccess);
    Machine& machine = the_machine();
    machine.wait_all();
    if (const cudaError_t error = notice_faults()) return finish(error);
    const Where where = where_is(pointer);
    if (where.region != host_region) return finish(cudaErrorInvalidValue);
    const auto allocation = machine.allocation(host_region, where.offset);
    if (!allocation || allocation->offset != where.offset) return finish(cudaErrorInvalidValue);
    machine.release(host_region, where.offset);
    munmap(pointer, allocation->bytes);
    machine.forget_pages();
    return finish(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    if (device == nullptr || flags != 0) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = notice_faults()) return finish(error);
    const Where where = where_is(host);
    if (where.region != host_region || !holds(where, 1)) return finish(cudaErrorInvalidValue);
    *device = host;
    return finish(cudaSuccess);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    if (free == nullptr || total == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = notice_faults()) return finish(error);
    collect_freed();
    *free = the_machine().free_bytes(current_gpu());
    *total = the_machine().bench().gpus[current_gpu()].memory;
    return finish(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    if (attributes == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = notice_faults()) return finish(error);
    const Where where = where_is(pointer);
    *attributes = {};
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // as the real runtime says of memory that it does not know
    if (where.region == -1 || !holds(where, 1)) return finish(cudaSuccess);
    attributes->type = where.is_gpu() ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
    attributes->device = where.is_gpu() ? device_of(where.region) : current_device();
    attributes->devicePointer = const_cast<void*>(pointer);
    attributes->hostPointer = where.is_gpu() ? nullptr : const_cast<void*>(pointer);
    return finish(cudaSuccess);
}

}  // extern "C"
