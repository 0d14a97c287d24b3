// What a copy call between two GPUs does on this bench.
#pragma once

#include "simulator/context.hpp"
#include "simulator/where.hpp"

namespace peerproof::simulated {

struct PeerCopy {
    Where source, target;  // of two GPUs
    std::uint64_t bytes;
    // So many rows of that many bytes, at these distances.
    std::uint64_t rows = 1, from_pitch = 0, to_pitch = 0;
    std::uint32_t graph_launch = 0;  // as in Command

    int from() const { return source.region; }
    int to() const { return target.region; }
    // Whether one of the two reaches the other's memory; the copy is staged where none does.
    bool is_direct() const { return reaches(from(), target) || reaches(to(), source); }
};

// Posts it to the stream; the error where the bench refuses.
cudaError_t post_peer_copy(cudaStream_t, const Stream&, const PeerCopy&);

// Bytes from one place to another, as asked.
void post_plain_copy(cudaStream_t, const Stream&, const Spot& to, const Spot& from, std::uint64_t bytes,
                     bool flip = false);
// Nothing but the modelled time of a transfer. True where another goes the other way at the same time.
bool post_time(cudaStream_t, const Stream&, Transfer::Kind, int from, int to, std::uint64_t bytes);
void post_fill(cudaStream_t, const Stream&, const Spot& to, std::uint64_t bytes, std::uint8_t value);

}  // namespace peerproof::simulated
