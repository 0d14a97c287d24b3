// The copies that the host asks for.
#include <algorithm>
#include <cstring>
#include <vector>

#include "simulator/capture.hpp"
#include "simulator/copies.hpp"

using namespace peerproof::simulated;

namespace {

constexpr std::size_t most_pitch = 2147483647;  // cudaDeviceProp.memPitch of real GPUs

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

// A part of a copy whose ends lie in one allocation each: memory that is mapped side by side may be of several.
struct Piece {
    void* to;
    const void* from;
    std::size_t bytes;
    Where target, source;
};

// None where an end is no memory that a copy may use.
std::vector<Piece> pieces_of(void* to, const void* from, std::size_t bytes) {
    std::vector<Piece> pieces;
    for (std::size_t done = 0; done < bytes;) {
        Piece piece{
            static_cast<char*>(to) + done, static_cast<const char*>(from) + done, bytes - done, {}, {}};
        piece.target = where_is(piece.to);
        piece.source = where_is(piece.from);
        for (const Where* end : {&piece.target, &piece.source}) {
            if (end->region == -1) continue;
            if (end->rest == 0 || (!end->mapped && end->rest < bytes - done)) return {};
            piece.bytes = std::min(piece.bytes, end->rest);
        }
        pieces.push_back(piece);
        done += piece.bytes;
    }
    return pieces;
}

// Between two GPUs, now or when a graph is launched.
cudaError_t post_between(cudaStream_t stream, const Stream& queue, const PeerCopy& copy) {
    return post_or_capture(stream, queue, [copy](cudaStream_t to, const Stream& at, std::uint32_t launch) {
        PeerCopy now = copy;
        now.graph_launch = launch;
        return post_peer_copy(to, at, now);
    });
}

struct HostEnd {
    bool in, out;  // of a GPU's memory
    int gpu;       // -1: of none
};
HostEnd host_end_of(const Where& target, const Where& source) {
    const bool in = target.is_gpu() && !source.is_gpu(), out = source.is_gpu() && !target.is_gpu();
    return {in, out, in ? target.region : out ? source.region : -1};
}

void post_host_time(cudaStream_t stream, const Stream& queue, const HostEnd& end, std::uint64_t bytes) {
    if (end.gpu == -1) return;
    post_time(stream, queue, end.in ? Transfer::Kind::host_in : Transfer::Kind::host_out, end.gpu, end.gpu,
              bytes);
}

// Within a GPU, or between one and pinned memory.
cudaError_t post_within(cudaStream_t stream, const Stream& queue, const Where& target, const Where& source,
                        std::uint64_t bytes) {
    const HostEnd end = host_end_of(target, source);
    const HostCopy does = end.gpu == -1 ? HostCopy::right : the_machine().bench().gpus[end.gpu].host_copies;
    post_host_time(stream, queue, end, bytes);
    if (does != HostCopy::nothing && !(end.in && does == HostCopy::nothing_in))
        post_plain_copy(stream, queue, target.spot(), source.spot(), bytes, does == HostCopy::flipped);
    return cudaSuccess;
}

// Everything that has a place in a file goes through the queue; bytes of ordinary host memory are moved here,
// when the queue has come to them.
cudaError_t copy_piece(const Piece& piece, cudaStream_t stream) {
    const Where &target = piece.target, &source = piece.source;
    const std::size_t bytes = piece.bytes;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    if (target.is_gpu() && source.is_gpu() && target.region != source.region)
        return post_between(stream, queue, {source, target, bytes});
    if (target.region != -1 && source.region != -1)
        return post_or_capture(stream, queue, [=](cudaStream_t to, const Stream& at, std::uint32_t) {
            return post_within(to, at, target, source, bytes);
        });
    not_modelled_in_graphs(stream, "copies of ordinary host memory");
    post_host_time(stream, queue, host_end_of(target, source), bytes);
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    Machine& machine = the_machine();
    machine.wait(queue.gpu, queue.last);
    if (const cudaError_t error = notice_faults()) return error;
    if (target.is_gpu())
        return machine.write(target.spot(), piece.from, bytes) ? cudaSuccess : cudaErrorInvalidValue;
    if (source.is_gpu())
        return machine.read(source.spot(), piece.to, bytes) ? cudaSuccess : cudaErrorInvalidValue;
    std::memmove(piece.to, piece.from, bytes);
    return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    const std::vector<Piece> pieces = pieces_of(to, from, bytes);
    if (pieces.empty() || !kind_fits(kind, pieces.front().target.is_gpu(), pieces.front().source.is_gpu()))
        return cudaErrorInvalidValue;
    for (const Piece& piece : pieces) {
        if (const cudaError_t error = copy_piece(piece, stream)) return error;
    }
    return cudaSuccess;
}

cudaError_t copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                         cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
    if (bytes == 0) return cudaSuccess;
    const std::vector<Piece> pieces = pieces_of(to, from, bytes);
    const bool fits = std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
        return piece.target.region == gpu_of(to_device) && piece.source.region == gpu_of(from_device);
    });
    if (pieces.empty() || !fits) return cudaErrorInvalidValue;
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t fill(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    if (bytes == 0) return cudaSuccess;
    const std::vector<Piece> pieces = pieces_of(to, to, bytes);
    if (pieces.empty() || pieces.front().target.region == -1) return cudaErrorInvalidValue;
    Stream queue{};
    if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
    return post_or_capture(stream, queue, [=](cudaStream_t to_stream, const Stream& at, std::uint32_t) {
        for (const Piece& piece : pieces)
            post_fill(to_stream, at, piece.target.spot(), piece.bytes, static_cast<std::uint8_t>(value));
        return cudaSuccess;
    });
}

struct Rows {
    void* to;
    std::size_t to_pitch;
    const void* from;
    std::size_t from_pitch, width, count;
};

// Rows of bytes, each end in one allocation.
cudaError_t copy_rows(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream) {
    const Where target = where_is(rows.to), source = where_is(rows.from);
    const std::size_t last = rows.count - 1;
    if (!holds(target, last * rows.to_pitch + rows.width) ||
        !holds(source, last * rows.from_pitch + rows.width))
        return cudaErrorInvalidValue;
    if (target.is_gpu() && source.is_gpu() && target.region != source.region) {
        if (!kind_fits(kind, true, true)) return cudaErrorInvalidValue;
        Stream queue{};
        if (!find_stream(stream, queue)) return cudaErrorInvalidResourceHandle;
        return post_between(stream, queue,
                            {source, target, rows.width, rows.count, rows.from_pitch, rows.to_pitch});
    }
    for (std::size_t row = 0; row < rows.count; ++row) {
        const cudaError_t error =
            copy(static_cast<char*>(rows.to) + row * rows.to_pitch,
                 static_cast<const char*>(rows.from) + row * rows.from_pitch, rows.width, kind, stream);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t copy_2d(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (rows.width == 0 || rows.count == 0) return cudaSuccess;
    for (const std::size_t pitch : {rows.to_pitch, rows.from_pitch}) {
        if (pitch < rows.width || pitch > most_pitch) return cudaErrorInvalidPitchValue;
    }
    return copy_rows(rows, kind, stream);
}

// What the suite makes of a 3D copy. Arrays, slices and positions are not modelled.
cudaError_t copy_3d(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
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
    const auto fits = [&](const cudaPitchedPtr& at, int device) {
        return at.pitch >= width && at.pitch <= most_pitch && where_is(at.ptr).region == gpu_of(device);
    };
    if (!fits(p->dstPtr, p->dstDevice) || !fits(p->srcPtr, p->srcDevice)) return cudaErrorInvalidValue;
    return copy_rows({p->dstPtr.ptr, p->dstPtr.pitch, p->srcPtr.ptr, p->srcPtr.pitch, width, rows},
                     cudaMemcpyDeviceToDevice, stream);
}

// As the CUDA manual has it: attributes for every copy, and no legacy default stream.
bool is_valid_batch(std::size_t count, const cudaMemcpyAttributes* attributes, const std::size_t* first,
                    std::size_t attribute_count, cudaStream_t stream) {
    if (count == 0 || attributes == nullptr || first == nullptr || attribute_count == 0 ||
        attribute_count > count || first[0] != 0 || stream == nullptr || stream == cudaStreamLegacy)
        return false;
    for (std::size_t i = 0; i < attribute_count; ++i) {
        if (attributes[i].srcAccessOrder < cudaMemcpySrcAccessOrderStream ||
            attributes[i].srcAccessOrder > cudaMemcpySrcAccessOrderAny || first[i] >= count ||
            (i > 0 && first[i] <= first[i - 1]))
            return false;
    }
    return true;
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
    if (bytes == 0) return finish(cudaSuccess);
    const bool staged = !PeerCopy{where_is(from), where_is(to), bytes}.is_direct();
    const Path& path = the_machine().bench().paths[gpu_of(from_device)][gpu_of(to_device)];
    return staged && path.staged_by_host && capture_info(stream).status == cudaStreamCaptureStatusNone
               ? cudaStreamSynchronize(stream)
               : finish(cudaSuccess);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* copy) {
    return finish(synchronously([&] { return copy_3d(copy, nullptr); }));
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return finish(synchronously([&] {
        return copy_2d({to, to_pitch, from, from_pitch, width, height}, kind, nullptr);
    }));
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return finish(copy_2d({to, to_pitch, from, from_pitch, width, height}, kind, stream));
}
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes,
                                 std::size_t count, cudaMemcpyAttributes* attributes, std::size_t* first,
                                 std::size_t attribute_count, cudaStream_t stream) {
    if (to == nullptr || from == nullptr || bytes == nullptr ||
        !is_valid_batch(count, attributes, first, attribute_count, stream))
        return finish(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
        if (const cudaError_t error = copy(to[i], from[i], bytes[i], cudaMemcpyDefault, stream))
            return finish(error);
    }
    return finish(cudaSuccess);
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return finish(fill(to, value, bytes, nullptr));
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return finish(fill(to, value, bytes, stream));
}

}  // extern "C"
