// Memory: allocation, and the copies that the host asks for.
#include <sys/mman.h>

#include <cstring>
#include <optional>

#include "simulator/capture.hpp"
#include "simulator/copies.hpp"

using namespace peerproof::simulated;

namespace {

// Where a pointer points: a region (GPU or pinned host memory) and offset, or ordinary host memory.
struct Where {
    int region = -1;
    std::uint64_t offset = 0;
    bool is_gpu() const { return region >= 0 && region < max_gpus; }
    std::uint64_t place() const { return place_of(region) + offset; }
};

Where where_is(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (address < device_base || address >= device_base + region_count * gpu_span) return {};
    const std::uint64_t place = address - device_base;
    return {static_cast<int>(place / gpu_span), place % gpu_span};
}

bool holds(const Where& where, std::uint64_t bytes) {
    return where.region == -1 || the_machine().holds(where.region, where.offset, bytes);
}

void* pointer_to(int region, std::uint64_t offset) {
    return reinterpret_cast<void*>(device_base + place_of(region) + offset);
}

cudaError_t allocate_host(void** pointer, std::size_t bytes) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = notice_faults()) return error;
    if (const cudaError_t error = unsafe_while_capturing()) return error;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    Machine& machine = the_machine();
    const auto offset = machine.allocate(host_region, bytes);
    if (!offset) return cudaErrorMemoryAllocation;
    const std::uint64_t length = machine.allocation(host_region, *offset)->second;
    void* mapped = mmap(pointer_to(host_region, *offset), length, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, machine.store(),
                        static_cast<off_t>(place_of(host_region) + *offset));
    if (mapped == MAP_FAILED) die("pinned host memory could not be mapped at its fixed address");
    *pointer = mapped;
    return cudaSuccess;
}

bool kind_fits(cudaMemcpyKind kind, bool to_gpu, bool from_gpu) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return !to_gpu && !from_gpu;
        case cudaMemcpyHostToDevice:
            return to_gpu && !from_gpu;
        case cudaMemcpyDeviceToHost:
            return !to_gpu && from_gpu;
        case cudaMemcpyDeviceToDevice:
            return to_gpu && from_gpu;
        case cudaMemcpyDefault:
            return true;
        default:
            return false;
    }
}

// Between two places that are in the store, at most one of them a GPU's.
cudaError_t post_within(cudaStream_t stream, const Stream& queue, const Where& target, const Where& source,
                        std::size_t bytes) {
    const bool in = target.is_gpu() && !source.is_gpu(), out = source.is_gpu() && !target.is_gpu();
    HostCopy way = HostCopy::right;
    if (in || out) {
        const int gpu = in ? target.region : source.region;
        post_time(stream, queue, in ? Transfer::Kind::host_in : Transfer::Kind::host_out, gpu, gpu, bytes);
        way = the_machine().bench().gpus[gpu].host_copies;
    }
    if (way != HostCopy::nothing && !(in && way == HostCopy::nothing_in))
        post_plain_copy(stream, queue, target.place(), source.place(), bytes, way == HostCopy::flipped);
    return cudaSuccess;
}

// The copy itself. Everything that has a place in the store goes through the queue; bytes of ordinary host
// memory are moved here, when the queue has come to them.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    const Where target = where_is(to);
    const Where source = where_is(from);
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    if (!kind_fits(kind, target.is_gpu(), source.is_gpu()) || !holds(target, bytes) || !holds(source, bytes))
        return cudaErrorInvalidValue;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    if (target.is_gpu() && source.is_gpu() && target.region != source.region) {
        PeerCopy between{source.region, target.region, source.offset, target.offset, bytes};
        return post_or_capture(
            stream, queue, [between](cudaStream_t to_stream, const Stream& at, std::uint32_t launch) mutable {
                between.graph_launch = launch;
                return post_peer_copy(to_stream, at, between);
            });
    }
    if (target.region != -1 && source.region != -1)
        return post_or_capture(stream, queue, [=](cudaStream_t to_stream, const Stream& at, std::uint32_t) {
            return post_within(to_stream, at, target, source, bytes);
        });
    if (capture_info(stream).status != cudaStreamCaptureStatusNone)
        die("copies of ordinary host memory in a graph are not modelled; add it in simulator/");
    const bool in = target.is_gpu() && !source.is_gpu(), out = source.is_gpu() && !target.is_gpu();
    if (in || out) {
        const int gpu = in ? target.region : source.region;
        post_time(stream, queue, in ? Transfer::Kind::host_in : Transfer::Kind::host_out, gpu, gpu, bytes);
        if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    }
    Machine& machine = the_machine();
    machine.wait(queue.gpu, queue.last);
    if (const cudaError_t error = notice_faults()) return error;
    if (target.is_gpu())
        return machine.write(target.place(), from, bytes) ? cudaSuccess : cudaErrorInvalidValue;
    if (source.is_gpu()) return machine.read(source.place(), to, bytes) ? cudaSuccess : cudaErrorInvalidValue;
    std::memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                         cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
    const Where target = where_is(to);
    const Where source = where_is(from);
    if (bytes == 0) return cudaSuccess;
    if (target.region != gpu_of(to_device) || source.region != gpu_of(from_device) || !holds(target, bytes) ||
        !holds(source, bytes))
        return cudaErrorInvalidValue;
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t fill(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    const Where target = where_is(to);
    if (bytes == 0) return cudaSuccess;
    if (target.region == -1 || !holds(target, bytes)) return cudaErrorInvalidValue;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    return post_or_capture(stream, queue, [=](cudaStream_t to_stream, const Stream& at, std::uint32_t) {
        post_fill(to_stream, at, target.place(), bytes, static_cast<std::uint8_t>(value));
        return cudaSuccess;
    });
}

// Rows of bytes between two GPUs: what the suite makes of a 3D copy. Arrays, slices and positions are not
// modelled.
cudaError_t copy_rows(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
    if (p == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = context_error()) return error;
    if (!is_device(p->dstDevice) || !is_device(p->srcDevice)) return cudaErrorInvalidDevice;
    const auto at_zero = [](const cudaPos& at) { return at.x == 0 && at.y == 0 && at.z == 0; };
    if (p->srcArray != nullptr || p->dstArray != nullptr || p->extent.depth != 1 || !at_zero(p->srcPos) ||
        !at_zero(p->dstPos))
        die("cudaMemcpy3DPeer with arrays, slices or positions is not modelled; add it in "
            "simulator/");
    const std::size_t width = p->extent.width, rows = p->extent.height;
    if (width == 0 || rows == 0) return cudaSuccess;
    constexpr std::size_t most_pitch = 2147483647;  // cudaDeviceProp.memPitch of real GPUs
    const auto fits = [&](const cudaPitchedPtr& at, int device) {
        const Where where = where_is(at.ptr);
        return at.pitch >= width && at.pitch <= most_pitch && where.region == gpu_of(device) &&
               holds(where, (rows - 1) * at.pitch + width);
    };
    if (!fits(p->dstPtr, p->dstDevice) || !fits(p->srcPtr, p->srcDevice)) return cudaErrorInvalidValue;
    const Where target = where_is(p->dstPtr.ptr), source = where_is(p->srcPtr.ptr);
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    if (target.region == source.region) {
        for (std::size_t row = 0; row < rows; ++row)
            post_plain_copy(stream, queue, target.place() + row * p->dstPtr.pitch,
                            source.place() + row * p->srcPtr.pitch, width);
        return cudaSuccess;
    }
    return post_peer_copy(stream, queue,
                          {source.region, target.region, source.offset, target.offset, width, rows,
                           p->srcPtr.pitch, p->dstPtr.pitch});
}

// The calls without "Async" order themselves after the work of every device and end with their own.
template <class Call>
cudaError_t synchronously(Call call) {
    if (const cudaError_t error = context_error()) return error;
    if (const cudaError_t error = unsafe_while_capturing()) return error;
    the_machine().wait_all();
    if (const cudaError_t error = notice_faults()) return error;
    if (const cudaError_t error = call()) return error;
    the_machine().wait_all();
    return notice_faults();
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
    if (!where.is_gpu() || !the_machine().release(where.region, where.offset))
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
    if (!allocation || allocation->first != where.offset) return finish(cudaErrorInvalidValue);
    machine.release(host_region, where.offset);
    munmap(pointer, allocation->second);
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

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return finish(synchronously([&] { return copy(to, from, bytes, kind, nullptr); }));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return finish(copy(to, from, bytes, kind, stream));
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
    return finish(
        synchronously([&] { return copy_between(to, to_device, from, from_device, bytes, nullptr); }));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
    if (const cudaError_t error = copy_between(to, to_device, from, from_device, bytes, stream))
        return finish(error);
    const bool staged = !is_enabled(gpu_of(from_device), gpu_of(to_device)) &&
                        !is_enabled(gpu_of(to_device), gpu_of(from_device));
    const Path& path = the_machine().bench().paths[gpu_of(from_device)][gpu_of(to_device)];
    return staged && path.staged_by_host && capture_info(stream).status == cudaStreamCaptureStatusNone
               ? cudaStreamSynchronize(stream)
               : finish(cudaSuccess);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* copy) {
    return finish(synchronously([&] { return copy_rows(copy, nullptr); }));
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return finish(fill(to, value, bytes, nullptr));
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return finish(fill(to, value, bytes, stream));
}

}  // extern "C"
