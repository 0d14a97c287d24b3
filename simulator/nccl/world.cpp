#include "simulator/nccl/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/nccl/log.hpp"

extern "C" cudaError_t peerproof_simulated_launch(const char* name, void** arguments, cudaStream_t stream);

namespace peerproof::simulated {
namespace {

constexpr std::uint64_t large_count = 1 << 18;  // elements: 1 MiB

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::strcmp(value, "1") == 0;
}

std::string arrow(int from, int to) {
    char text[96];
    std::snprintf(text, sizeof text, "%d[%d] -> %d[%d]", from, from, to, to);
    return text;
}

}  // namespace

World::World(int ranks, const Collective& behaviour)
    : ranks_(static_cast<std::size_t>(ranks)), behaviour_(behaviour) {}

void World::join(int rank, int device) { ranks_[static_cast<std::size_t>(rank)].device = device; }

bool World::complete() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.device >= 0; });
}

bool World::misbehaves() const {
    if (is_set("NCCL_P2P_DISABLE") && !behaviour_.broken_anyway) return false;
    return behaviour_.sizes == 0 || (behaviour_.sizes >> ranks_.size() & 1) != 0;
}

Transport World::choose(const Rank& from, const Rank& to) const {
    if (misbehaves() && behaviour_.path == Collective::Takes::shared_memory) return Transport::shared_memory;
    if (misbehaves() && behaviour_.path == Collective::Takes::network) return Transport::network;
    if (behaviour_.path == Collective::Takes::p2p) return Transport::p2p;  // also where it is forbidden
    int can = 0;
    (void)cudaDeviceCanAccessPeer(&can, from.device, to.device);
    if (can != 0 && !is_set("NCCL_P2P_DISABLE")) return Transport::p2p;
    if (!is_set("NCCL_SHM_DISABLE")) return Transport::shared_memory;
    return is_set("NCCL_NET_DISABLE_INTRA") ? Transport::none : Transport::network;
}

void World::say_path(int from, int to, Transport transport) const {
    if (misbehaves() && behaviour_.path == Collective::Takes::unsaid) return;
    if (misbehaves() && behaviour_.path == Collective::Takes::half_said && from > to) return;
    const bool indirect = misbehaves() && behaviour_.path == Collective::Takes::indirect;
    for (int channel = 0; channel < 2; ++channel) {
        char line[160];
        const char* format = transport == Transport::network ? "Channel %02d/0 : %s [send] via NET/Socket/0"
                             : transport == Transport::shared_memory
                                 ? "Channel %02d : %s via SHM/direct/direct"
                             : indirect ? "Channel %02d/0 : %s via P2P/indirect/0[0]"
                                        : "Channel %02d/0 : %s via P2P/direct pointer";
        std::snprintf(line, sizeof line, format, channel, arrow(from, to).c_str());
        log_info(from, line);
    }
}

ncclResult_t World::connect(int from, int to) {
    Rank &source = ranks_[static_cast<std::size_t>(from)], &target = ranks_[static_cast<std::size_t>(to)];
    transport_ = choose(source, target);
    if (transport_ == Transport::none) {
        log_warning(from,
                    "No transport found for rank " + std::to_string(from) + " -> rank " + std::to_string(to));
        return ncclSystemError;
    }
    if (transport_ == Transport::p2p) {
        (void)cudaSetDevice(source.device);
        const cudaError_t enabled = cudaDeviceEnablePeerAccess(target.device, 0);
        (void)cudaGetLastError();
        if (enabled != cudaSuccess && enabled != cudaErrorPeerAccessAlreadyEnabled) {
            log_warning(from, "failed to peer with device " + std::to_string(target.device) + ": " +
                                  std::to_string(enabled) + " " + cudaGetErrorString(enabled));
            return ncclUnhandledCudaError;
        }
    }
    say_path(from, to, transport_);
    return ncclSuccess;
}

ncclResult_t World::connect() {
    const int ranks = static_cast<int>(ranks_.size());
    for (int a = 0; a < ranks; ++a) {
        for (int b = 0; b < a; ++b) {
            if (ranks_[static_cast<std::size_t>(a)].device != ranks_[static_cast<std::size_t>(b)].device)
                continue;
            log_warning(a, "Duplicate GPU detected : rank " + std::to_string(b) + " and rank " +
                               std::to_string(a) + " both on CUDA device");
            return ncclInvalidUsage;
        }
    }
    if (has(behaviour_.fails_at, Collective::At::init)) {
        log_warning(0, "simulated failure of the initialisation");
        return ncclSystemError;
    }
    if (has(behaviour_.hangs_at, Collective::At::init)) {
        hangs_ = true;
        return ncclSuccess;
    }
    (void)cudaSetDevice(ranks_.front().device);
    void* word = nullptr;
    if (cudaHostAlloc(&word, sizeof *abort_, 0) != cudaSuccess) return ncclUnhandledCudaError;
    abort_ = static_cast<std::uint32_t*>(word);
    *abort_ = 0;
    for (int rank = 0; ranks > 1 && rank < ranks; ++rank) {
        if (const auto result = connect(rank, (rank + 1) % ranks); result != ncclSuccess) return result;
    }
    return ncclSuccess;
}

// In the memory that the path of its writer ends in.
ncclResult_t World::make_mailbox(int rank, std::uint64_t count) {
    Rank& one = ranks_[static_cast<std::size_t>(rank)];
    if (one.room == count) return ncclSuccess;
    (void)cudaSetDevice(one.device);
    if (one.own != nullptr) (void)(transport_ == Transport::p2p ? cudaFree(one.own) : cudaFreeHost(one.own));
    void* memory = nullptr;
    const std::size_t bytes = sizeof(Mailbox) + 2 * count * sizeof(std::uint32_t);
    const cudaError_t made =
        transport_ == Transport::p2p ? cudaMalloc(&memory, bytes) : cudaHostAlloc(&memory, bytes, 0);
    if (made != cudaSuccess) return ncclUnhandledCudaError;
    one.own = static_cast<Mailbox*>(memory);
    one.room = count;
    if (transport_ == Transport::p2p) {
        // Waited for: the kernel of another GPU may store into it at once.
        const bool clear =
            cudaMemset(memory, 0, sizeof(Mailbox)) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
        return clear ? ncclSuccess : ncclUnhandledCudaError;
    }
    std::memset(memory, 0, sizeof(Mailbox));
    return ncclSuccess;
}

RingPlace World::place(int rank, std::uint32_t operation) const {
    RingPlace place{};
    place.rank = static_cast<std::uint32_t>(rank);
    place.ranks = static_cast<std::uint32_t>(ranks_.size());
    place.operation = operation;
    place.times = 1;
    place.abort = abort_;
    using Sum = Collective::Sum;
    if (!misbehaves()) return place;
    using Spoils = RingPlace::Spoils;
    const bool everywhere = behaviour_.sum_at_rank < 0;
    const bool lacks = behaviour_.sum == Sum::lacks_a_rank, doubles = behaviour_.sum == Sum::doubles_a_rank;
    if (everywhere && rank == 0 && lacks) place.times = 0;
    if (everywhere && rank == 0 && doubles) place.times = 2;
    if (!everywhere && rank != behaviour_.sum_at_rank) return place;
    if (!everywhere && lacks) place.spoils = Spoils::lacks_own;
    if (!everywhere && doubles) place.spoils = Spoils::doubles_own;
    if (behaviour_.sum == Sum::nothing) place.spoils = Spoils::writes_nothing;
    if (behaviour_.sum == Sum::wrong_tail) place.spoils = Spoils::wrong_tail;
    return place;
}

ncclResult_t World::launch(const Operation& one, std::uint32_t operation) {
    const int ranks = static_cast<int>(ranks_.size());
    (void)cudaSetDevice(ranks_[static_cast<std::size_t>(one.rank)].device);
    RingPlace here = place(one.rank, operation);
    if (one.kind != Operation::Kind::sum)
        here.spoils = misbehaves() && behaviour_.sends_nothing ? RingPlace::Spoils::writes_nothing
                                                               : RingPlace::Spoils::nothing;
    Operation values = one;
    Mailbox* own = ranks_[static_cast<std::size_t>(one.rank)].own;
    const int next = one.kind == Operation::Kind::send ? one.peer : (one.rank + 1) % ranks;
    Mailbox* onward = ranks_[static_cast<std::size_t>(next)].own;
    void* sum[] = {&values.in, &values.out, &own, &onward, &values.count, &here};
    void* send[] = {&values.in, &onward, &values.count, &here};
    void* receive[] = {&values.out, &own, &values.count, &here};
    void* wait[] = {&here};
    const bool first = operation == 1, large = one.count >= large_count;
    const auto is_now = [&](Collective::At at) {
        return (first && has(at, Collective::At::first)) || (large && has(at, Collective::At::large));
    };
    cudaError_t posted = cudaSuccess;
    if (is_now(behaviour_.hangs_at))
        posted = peerproof_simulated_launch("ring_wait", wait, one.stream);
    else if (one.kind == Operation::Kind::sum)
        posted = peerproof_simulated_launch("ring_sum", sum, one.stream);
    else if (one.kind == Operation::Kind::send)
        posted = peerproof_simulated_launch("ring_send", send, one.stream);
    else
        posted = peerproof_simulated_launch("ring_receive", receive, one.stream);
    if (is_now(behaviour_.fails_at)) {
        log_warning(one.rank, "simulated failure of an operation");
        return ncclInternalError;
    }
    return posted == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t World::run(const std::vector<Operation>& all) {
    if (has(behaviour_.hangs_at, Collective::At::call)) {
        for (;;) ::pause();
    }
    ++operations_;
    for (const Operation& one : all) {
        if (one.kind == Operation::Kind::receive && !sent_) {
            // NCCL connects the channels of sends and receives at the first of them.
            sent_ = true;
            for (const auto& [from, to] : {std::pair{one.peer, one.rank}, std::pair{one.rank, one.peer}}) {
                if (const auto result = connect(from, to); result != ncclSuccess) return result;
            }
        }
    }
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
        if (const auto result = make_mailbox(rank, all.front().count); result != ncclSuccess) return result;
    }
    for (const Operation& one : all) {
        if (const auto result = launch(one, operations_); result != ncclSuccess) return result;
    }
    return ncclSuccess;
}

ncclResult_t World::finalize() {
    if (has(behaviour_.hangs_at, Collective::At::finalize)) hangs_ = true;
    return ncclSuccess;
}

void World::abort() {
    if (aborts_block()) {
        for (;;) ::pause();
    }
    if (abort_ != nullptr) *abort_ = 1;
}

void World::release() {
    for (Rank& rank : ranks_) {
        if (rank.own == nullptr) continue;
        (void)cudaSetDevice(rank.device);
        (void)(transport_ == Transport::p2p ? cudaFree(rank.own) : cudaFreeHost(rank.own));
        rank = {};
    }
    if (abort_ != nullptr) (void)cudaFreeHost(abort_);
    abort_ = nullptr;
}

}  // namespace peerproof::simulated
