// Memory pools of this process. Each allocation has whole pages and a mapping of its own; what is freed goes back to the
// GPU as soon as its stream has come there, whatever the release threshold says.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "simulator/handles.hpp"
#include "simulator/mappings.hpp"
#include "simulator/peer_access.hpp"

namespace peerproof::simulated {

struct Pool {
    int gpu;
    std::uint32_t number;
    bool is_default = false, is_shareable = false;
    bool is_destroyed = false;       // and goes with its last allocation
    std::optional<Handle> imported;  // from another process
    Access access;
    std::uint64_t most_bytes = 0;  // 0: as much as there is
    std::uint64_t used = 0, most_used = 0, threshold = 0;
    int reuses[3] = {1, 1, 1};
};

class Pools {
  public:
    struct Allocated {
        Pool* pool;
        std::uint64_t bytes;  // whole pages
        Backing backing;
    };

    std::mutex mutex;  // of everything here: whoever calls holds it

    Pool& add(int gpu);
    Pool* find(cudaMemPool_t);  // null where there is none
    Pool& default_of(int gpu);
    Pool& current_of(int gpu);
    void make_current(const Pool&);
    void destroy(Pool&);
    void set_access(Pool&, const Access&);

    cudaError_t allocate(void** pointer, std::size_t bytes, Pool&);
    // Addresses for memory of the pool, with the access that the pool gives.
    cudaError_t show(void** pointer, std::uint64_t bytes, Pool&, const Backing&);
    const Allocated* allocated(const void* pointer) const;  // null where it is of no pool
    // Gone for the caller now, and for kernels once the GPU's queue has come so far.
    cudaError_t free_after(void* pointer, int gpu, std::uint32_t number);
    void collect();  // what the queues have come to

  private:
    struct Freed {
        std::uint64_t at;
        Allocated allocated;
        int gpu;
        std::uint32_t number;
    };
    void remove_if_unused(Pool&);

    std::map<std::uint32_t, Pool> pools_;
    std::map<std::uint64_t, Allocated> allocations_;  // by address
    std::vector<Freed> freed_;
    std::uint32_t last_ = 0;
    std::uint32_t default_[max_gpus] = {}, current_[max_gpus] = {};  // 0: none yet
};

Pools& the_pools();
cudaMemPool_t handle_of(const Pool&);

// What every call of pools answers before it does anything: a fault, and 801 where the GPU has none (-1: the current
// one).
cudaError_t pools_ready(int owner = -1);
// And what the bench refuses of memory of that GPU, -1 for none in particular.
cudaError_t pool_error(const char* call, int owner = -1);

// cudaFree of memory that is mapped: invalid where it is not of a pool.
cudaError_t free_of_pool(void* pointer);
void collect_freed();

}  // namespace peerproof::simulated
