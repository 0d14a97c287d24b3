// One communicator of the simulated NCCL over all its ranks, which are in one process: the paths between them
// as NCCL's rules and the environment choose them, their mailboxes, and the operations.
//
// Rules (NCCL 2.28, src/transport.cc): P2P where it is not disabled and the capability bit says yes,
// else shared memory, else the network, else no transport and ncclSystemError. No bytes are tried.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/bench.hpp"
#include "simulator/nccl/ring.hpp"

namespace peerproof::simulated {

enum class Transport : std::uint8_t { p2p, shared_memory, network, none };

struct Operation {
    enum class Kind : std::uint8_t { sum, send, receive } kind;
    int rank, peer;
    const std::uint32_t* in;
    std::uint32_t* out;
    std::uint64_t count;
    cudaStream_t stream;
};

class World {
  public:
    World(int ranks, const Collective& behaviour);

    void join(int rank, int device);
    bool complete() const;
    ncclResult_t connect();                               // once all have joined
    ncclResult_t run(const std::vector<Operation>& all);  // of one group
    ncclResult_t finalize();
    void abort();
    void release();

    bool hangs() const { return hangs_; }  // "in progress" for ever
    bool aborts_block() const { return misbehaves() && behaviour_.abort_blocks; }
    bool has(Collective::At what, Collective::At at) const { return misbehaves() && what == at; }

  private:
    struct Rank {
        int device = -1;
        Mailbox* own = nullptr;  // what the one before stores into
        std::uint64_t room = 0;  // elements
    };

    bool misbehaves() const;
    Transport choose(const Rank& from, const Rank& to) const;
    ncclResult_t connect(int from, int to);
    void say_path(int from, int to, Transport transport) const;
    ncclResult_t make_mailbox(int rank, std::uint64_t count);
    ncclResult_t launch(const Operation& one, std::uint32_t operation);
    RingPlace place(int rank, std::uint32_t operation) const;

    std::vector<Rank> ranks_;
    const Collective& behaviour_;
    Transport transport_ = Transport::p2p;  // of all edges: they are alike in what a mailbox must be
    std::uint32_t* abort_ = nullptr;
    std::uint32_t operations_ = 0;
    bool hangs_ = false, sent_ = false;
};

}  // namespace peerproof::simulated
