// What a copy call between two GPUs does on this bench.
#pragma once

#include "simulator/context.hpp"

namespace peerproof::simulated {

struct PeerCopy {
    int from, to;  // GPUs
    std::uint64_t from_offset, to_offset;
    std::uint64_t bytes;
    // So many rows of that many bytes, at these distances.
    std::uint64_t rows = 1, from_pitch = 0, to_pitch = 0;
    std::uint32_t graph_launch = 0;  // as in Command
};

// Posts it to the stream; the error where the bench refuses.
cudaError_t post_peer_copy(cudaStream_t, const Stream&, const PeerCopy&);

// Bytes from one place of the store to another, as asked.
void post_plain_copy(cudaStream_t, const Stream&, std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
                     bool flip = false);
// Nothing but the modelled time of a transfer. True where another goes the other way at the same time.
bool post_time(cudaStream_t, const Stream&, Transfer::Kind, int from, int to, std::uint64_t bytes);
void post_fill(cudaStream_t, const Stream&, std::uint64_t to, std::uint64_t bytes, std::uint8_t value);

}  // namespace peerproof::simulated
