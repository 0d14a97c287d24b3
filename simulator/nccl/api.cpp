// The calls of NCCL that the suite makes, for ranks in one process with non-blocking communicators. Anything
// else that NCCL has is not here: a program that needs it does not start.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/nccl/log.hpp"
#include "simulator/nccl/world.hpp"

using namespace peerproof::simulated;

extern "C" const Bench* peerproof_simulated_bench_file(void);

struct ncclComm {
    std::shared_ptr<World> world;
    int rank = 0;
    ncclResult_t state = ncclSuccess;
    bool fresh = true;  // one look at its state says "in progress" before it says how it is
};

namespace {

struct Group {
    int depth = 0;
    std::vector<ncclComm*> joining, finalizing;
    std::map<World*, std::vector<Operation>> operations;
    std::map<World*, std::vector<ncclComm*>> members;
};
Group group;
std::map<std::string, std::weak_ptr<World>> worlds;  // by unique id

void settle(const std::vector<ncclComm*>& members, ncclResult_t result) {
    for (ncclComm* one : members) {
        one->state = result;
        one->fresh = true;
    }
}

ncclResult_t end_group() {
    ncclResult_t worst = ncclInProgress;
    const auto note = [&](const std::vector<ncclComm*>& members, ncclResult_t result) {
        settle(members, result);
        if (result != ncclSuccess) worst = result;
    };
    std::map<World*, std::vector<ncclComm*>> joined, ended;
    for (ncclComm* one : group.joining) joined[one->world.get()].push_back(one);
    for (ncclComm* one : group.finalizing) ended[one->world.get()].push_back(one);
    for (const auto& [world, members] : joined) {
        if (world->complete()) note(members, world->connect());
    }
    for (const auto& [world, operations] : group.operations)
        note(group.members[world], world->run(operations));
    for (const auto& [world, members] : ended) note(members, world->finalize());
    group = {};
    return worst;
}

ncclResult_t in_group(ncclResult_t result) { return group.depth == 0 ? end_group() : result; }

ncclResult_t add(ncclComm* one, Operation operation) {
    if (one == nullptr || !one->world) return ncclInvalidArgument;
    operation.rank = one->rank;
    group.operations[one->world.get()].push_back(operation);
    group.members[one->world.get()].push_back(one);
    return in_group(ncclSuccess);
}

}  // namespace

extern "C" {

const char* peerproof_simulated_collectives(void) { return peerproof_simulated_bench_file()->name; }

ncclResult_t ncclGetVersion(int* version) {
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
    switch (result) {
        case ncclSuccess:
            return "no error";
        case ncclUnhandledCudaError:
            return "unhandled cuda error";
        case ncclSystemError:
            return "unhandled system error";
        case ncclInternalError:
            return "internal error";
        case ncclInvalidArgument:
            return "invalid argument";
        case ncclInvalidUsage:
            return "invalid usage";
        case ncclRemoteError:
            return "remote process exited or there was a network error";
        case ncclInProgress:
            return "NCCL operation in progress";
        default:
            return "unknown result code";
    }
}

const char* ncclGetLastError(ncclComm_t) { return last_warning(); }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    static int made = 0;
    std::memset(id, 0, sizeof *id);
    std::snprintf(id->internal, sizeof id->internal, "%d.%d", ::getpid(), ++made);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
    if (comm == nullptr || ranks < 1 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
    if (config == nullptr || config->blocking != 0) {
        log_warning(rank, "the simulated NCCL has non-blocking communicators only");
        return ncclInvalidUsage;
    }
    auto& known = worlds[id.internal];
    auto world = known.lock();
    if (!world) known = world = std::make_shared<World>(ranks, peerproof_simulated_bench_file()->collective);
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return ncclUnhandledCudaError;
    world->join(rank, device);
    *comm = new ncclComm{world, rank};
    group.joining.push_back(*comm);
    return in_group(ncclSuccess);
}

ncclResult_t ncclGroupStart(void) {
    ++group.depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
    if (group.depth == 0) return ncclInvalidUsage;
    return --group.depth == 0 ? end_group() : ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state) {
    if (comm == nullptr || state == nullptr) return ncclInvalidArgument;
    *state = comm->fresh || comm->world->hangs() ? ncclInProgress : comm->state;
    comm->fresh = false;
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* in, void* out, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
    if (type != ncclUint32 || operation != ncclSum) return ncclInvalidArgument;
    return add(comm, {Operation::Kind::sum, 0, 0, static_cast<const std::uint32_t*>(in),
                      static_cast<std::uint32_t*>(out), count, stream});
}

ncclResult_t ncclSend(const void* in, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    if (type != ncclUint32) return ncclInvalidArgument;
    return add(comm, {Operation::Kind::send, 0, peer, static_cast<const std::uint32_t*>(in), nullptr, count,
                      stream});
}

ncclResult_t ncclRecv(void* out, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    if (type != ncclUint32) return ncclInvalidArgument;
    return add(comm,
               {Operation::Kind::receive, 0, peer, nullptr, static_cast<std::uint32_t*>(out), count, stream});
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
    if (comm == nullptr) return ncclInvalidArgument;
    group.finalizing.push_back(comm);
    return in_group(ncclSuccess);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    if (comm == nullptr) return ncclInvalidArgument;
    comm->world->release();
    delete comm;
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    if (comm == nullptr) return ncclInvalidArgument;
    comm->world->abort();
    delete comm;
    return ncclSuccess;
}

}  // extern "C"
