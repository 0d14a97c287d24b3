// Stream capture: which streams are captured, into which graph, and what calls answer meanwhile.
//
//   return post_or_capture(stream, where, [=](cudaStream_t to, const Stream& at, std::uint32_t launch) { ... });
//
// A capture spreads to another stream when that waits for an event which was recorded in a captured one, and all
// that was forked must be joined where it began. A call that is not allowed answers its error and spoils the
// capture: everything more of it is error 901.
#pragma once

#include <optional>

#include "simulator/graph.hpp"

namespace peerproof::simulated {

bool any_capture();  // a fast no

// Posts it, or makes it the next node of the stream's capture.
cudaError_t post_while_capturing(cudaStream_t, const Stream&, const Post&);
template <class Posting>
cudaError_t post_or_capture(cudaStream_t stream, const Stream& where, Posting post) {
    if (!any_capture()) return post(stream, where, std::uint32_t{0});
    return post_while_capturing(stream, where, Post(post));
}

cudaError_t begin_capture(cudaStream_t, const Stream&, cudaStreamCaptureMode);
cudaError_t end_capture(cudaStream_t, cudaGraph_t&);

struct CaptureInfo {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    std::size_t dependencies = 0;  // of the next node of the stream
};
CaptureInfo capture_info(cudaStream_t);
void not_modelled_in_graphs(cudaStream_t, const char* what);  // ends the process where the stream is captured

// The answer where the call is of a capture, which then has done it; none where it is an ordinary one.
std::optional<cudaError_t> captured_record(cudaStream_t, const Stream&, cudaEvent_t);
std::optional<cudaError_t> captured_wait(cudaStream_t, const Stream&, cudaEvent_t);
void forget_captured(cudaEvent_t);
void forget_captured(cudaStream_t);  // with the capture that began there

// The error of a call that waits for the stream, for all streams of a GPU, or for the event.
cudaError_t refused_by_capture(cudaStream_t, const Stream&);
cudaError_t refused_by_capture_on(int gpu);
cudaError_t refused_by_capture(cudaEvent_t);
// The error of a call that CUDA names potentially unsafe: it allocates, frees, or works on the legacy stream.
cudaError_t unsafe_while_capturing();

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode);  // of this thread

}  // namespace peerproof::simulated
