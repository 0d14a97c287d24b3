#include "simulator/pools.hpp"

#include <algorithm>

#include "simulator/context.hpp"
#include "simulator/ways.hpp"

namespace peerproof::simulated {
namespace {

constexpr std::uint64_t pool_handles = 0x9001'0000'0000;  // no address of anything

}  // namespace

Pools& the_pools() {
    static auto* pools = new Pools;
    return *pools;
}

cudaMemPool_t handle_of(const Pool& pool) {
    return reinterpret_cast<cudaMemPool_t>(pool_handles + pool.number * std::uint64_t{16});
}

cudaError_t pools_ready(int owner) {
    if (const cudaError_t error = notice_faults()) return error;
    const Bench& bench = the_machine().bench();
    return bench.gpus[owner == -1 ? current_gpu() : owner].memory_pools ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t pool_error(const char* call, int owner) {
    if (const cudaError_t error = pools_ready(owner)) return error;
    return static_cast<cudaError_t>(refusal(the_machine().bench(), call, -1, owner));
}

Pool& Pools::add(int gpu) {
    Pool pool{gpu, ++last_};
    pool.access.readable = pool.access.writable = std::uint64_t{1} << gpu;
    return pools_.emplace(last_, pool).first->second;
}

Pool* Pools::find(cudaMemPool_t handle) {
    const auto value = reinterpret_cast<std::uint64_t>(handle) - pool_handles;
    if (value % 16 != 0 || value / 16 > last_) return nullptr;
    const auto found = pools_.find(static_cast<std::uint32_t>(value / 16));
    return found == pools_.end() || found->second.is_destroyed ? nullptr : &found->second;
}

Pool& Pools::default_of(int gpu) {
    if (default_[gpu] == 0) {
        Pool& made = add(gpu);
        made.is_default = true;
        default_[gpu] = made.number;
    }
    return pools_.at(default_[gpu]);
}

Pool& Pools::current_of(int gpu) {
    const auto found = pools_.find(current_[gpu]);
    return found == pools_.end() || found->second.is_destroyed ? default_of(gpu) : found->second;
}

void Pools::make_current(const Pool& pool) { current_[pool.gpu] = pool.number; }

void Pools::destroy(Pool& pool) {
    collect();
    pool.is_destroyed = true;
    remove_if_unused(pool);
}

void Pools::remove_if_unused(Pool& pool) {
    const bool is_used = std::any_of(allocations_.begin(), allocations_.end(),
                                     [&](const auto& each) { return each.second.pool == &pool; }) ||
                         std::any_of(freed_.begin(), freed_.end(),
                                     [&](const Freed& each) { return each.allocated.pool == &pool; });
    if (pool.is_destroyed && !is_used) pools_.erase(pool.number);
}

void Pools::set_access(Pool& pool, const Access& access) {
    pool.access = access;
    for (auto& [at, one] : allocations_) {
        if (one.pool == &pool) simulated::set_access(*the_mappings().find(at), access);
    }
    the_machine().forget_pages();
}

cudaError_t Pools::allocate(void** pointer, std::size_t bytes, Pool& pool) {
    collect();
    Machine& machine = the_machine();
    if (const int error = machine.bench().gpus[pool.gpu].malloc_error) return static_cast<cudaError_t>(error);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (pool.most_bytes != 0 && (bytes > pool.most_bytes || pool.used > pool.most_bytes - bytes))
        return cudaErrorMemoryAllocation;
    const auto offset = machine.allocate(pool.gpu, bytes, Machine::Kind::mapped);
    if (!offset) return cudaErrorMemoryAllocation;
    const std::uint64_t whole = machine.allocation(pool.gpu, *offset)->bytes;
    const cudaError_t error = show(pointer, whole, pool, {pool.gpu, *offset});
    if (error != cudaSuccess) machine.release(pool.gpu, *offset);
    return error;
}

cudaError_t Pools::show(void** pointer, std::uint64_t bytes, Pool& pool, const Backing& backing) {
    Mappings& mappings = the_mappings();
    const auto at = mappings.reserve(bytes);
    if (!at || !mappings.map(*at, bytes, backing, Way::pool)) return cudaErrorMemoryAllocation;
    simulated::set_access(*mappings.find(*at), pool.access);
    allocations_.emplace(*at, Allocated{&pool, bytes, backing});
    pool.used += bytes;
    pool.most_used = std::max(pool.most_used, pool.used);
    *pointer = reinterpret_cast<void*>(*at);
    return cudaSuccess;
}

const Pools::Allocated* Pools::allocated(const void* pointer) const {
    const auto found = allocations_.find(reinterpret_cast<std::uint64_t>(pointer));
    return found == allocations_.end() ? nullptr : &found->second;
}

cudaError_t Pools::free_after(void* pointer, int gpu, std::uint32_t number) {
    const auto found = allocations_.find(reinterpret_cast<std::uint64_t>(pointer));
    if (found == allocations_.end()) return cudaErrorInvalidValue;
    found->second.pool->used -= found->second.bytes;
    freed_.push_back({found->first, found->second, gpu, number});
    allocations_.erase(found);
    collect();
    return cudaSuccess;
}

void Pools::collect() {
    std::vector<Freed> done;
    const auto is_waiting = [](const Freed& each) { return !the_machine().finished(each.gpu, each.number); };
    const auto rest = std::stable_partition(freed_.begin(), freed_.end(), is_waiting);
    done.assign(rest, freed_.end());
    freed_.erase(rest, freed_.end());
    for (const Freed& each : done) {
        const Allocated& one = each.allocated;
        the_mappings().unmap(*the_mappings().find(each.at));
        the_mappings().unreserve(each.at, one.bytes);
        if (!one.pool->imported) the_machine().release(one.backing.gpu, one.backing.offset);
    }
    // Each pool once: the last allocation takes it away.
    std::vector<Pool*> touched;
    for (const Freed& each : done) {
        if (std::find(touched.begin(), touched.end(), each.allocated.pool) == touched.end())
            touched.push_back(each.allocated.pool);
    }
    for (Pool* pool : touched) remove_if_unused(*pool);
}

cudaError_t free_of_pool(void* pointer) {
    const std::lock_guard lock(the_pools().mutex);
    return the_pools().free_after(pointer, current_gpu(), 0);  // cudaFree has waited for everything
}

void collect_freed() {
    const std::lock_guard lock(the_pools().mutex);
    the_pools().collect();
}

}  // namespace peerproof::simulated
