// The memory of the simulated machine: which pages are allocated, and the calling process's way to the bytes.
// The store is never mapped here (pinned host memory aside): dereferencing a device pointer on the host is
// the error it is.
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "simulator/machine.hpp"

namespace peerproof::simulated {
namespace {

// What a driver keeps for itself on each GPU.
constexpr std::uint64_t reserved_bytes = std::uint64_t{512} << 20;

std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

}  // namespace

std::uint64_t Machine::capacity(int region) const {
    return region == host_region ? host_bytes : bench_->gpus[region].memory - reserved_bytes;
}

std::uint64_t Machine::free_bytes(int region) {
    const std::lock_guard lock(mutex_);
    std::uint64_t used = 0;
    for (const auto& [offset, bytes] : allocations_[region]) used += bytes;
    return capacity(region) - used;
}

std::optional<std::uint64_t> Machine::allocate(int region, std::uint64_t bytes) {
    Control& shared = control();
    const std::lock_guard lock(mutex_);
    if (bytes > capacity(region)) return std::nullopt;
    const std::uint64_t wanted = whole_pages(bytes);
    std::uint64_t offset = page_bytes;  // the first page stays empty: no address is the null of its GPU
    for (const auto& [begin, length] : allocations_[region]) {
        if (begin - offset >= wanted) break;
        offset = begin + length;
    }
    if (offset + wanted > page_bytes + capacity(region)) return std::nullopt;
    allocations_[region].emplace(offset, wanted);
    for (std::uint64_t page = offset / page_bytes; page < (offset + wanted) / page_bytes; ++page)
        shared.allocated[region][page].store(1, std::memory_order_release);
    return offset;
}

bool Machine::release(int region, std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_[region].find(offset);
    if (found == allocations_[region].end()) return false;
    for (std::uint64_t page = offset / page_bytes; page < (offset + found->second) / page_bytes; ++page)
        control_->allocated[region][page].store(0, std::memory_order_release);
    allocations_[region].erase(found);
    return true;
}

void Machine::release_all(int region) {
    while (!allocations_[region].empty()) release(region, allocations_[region].begin()->first);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Machine::allocation(int region, std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    auto found = allocations_[region].upper_bound(offset);
    if (found == allocations_[region].begin()) return std::nullopt;
    --found;
    if (offset >= found->first + found->second) return std::nullopt;
    return std::pair{found->first, found->second};
}

bool Machine::holds(int region, std::uint64_t offset, std::uint64_t bytes) {
    const auto found = allocation(region, offset);
    return found && bytes <= found->first + found->second - offset;
}

bool Machine::read(std::uint64_t place, void* into, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t now =
            pread(store_, static_cast<char*>(into) + done, bytes - done, static_cast<off_t>(place + done));
        if (now <= 0) return false;
        done += static_cast<std::uint64_t>(now);
    }
    return true;
}

bool Machine::write(std::uint64_t place, const void* from, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t now = pwrite(store_, static_cast<const char*>(from) + done, bytes - done,
                                   static_cast<off_t>(place + done));
        if (now <= 0) return false;
        done += static_cast<std::uint64_t>(now);
    }
    return true;
}

}  // namespace peerproof::simulated
