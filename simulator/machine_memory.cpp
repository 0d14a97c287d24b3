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
    for (const auto& [offset, allocation] : allocations_[region]) used += allocation.bytes;
    return capacity(region) - used;
}

std::optional<std::uint64_t> Machine::allocate(int region, std::uint64_t bytes, Kind kind) {
    Control& shared = control();
    const std::lock_guard lock(mutex_);
    if (bytes > capacity(region)) return std::nullopt;
    const std::uint64_t wanted = whole_pages(bytes);
    std::uint64_t offset = page_bytes;  // the first page stays empty: no address is the null of its GPU
    for (const auto& [begin, allocation] : allocations_[region]) {
        if (begin - offset >= wanted) break;
        offset = begin + allocation.bytes;
    }
    if (offset + wanted > page_bytes + capacity(region)) return std::nullopt;
    // Handles of memory that was freed are told by it from those of what is there now.
    std::uint8_t& last = last_number_[static_cast<int>(kind)];
    last = static_cast<std::uint8_t>(last % (first_mapped_number - 1) + 1);
    const auto number =
        static_cast<std::uint8_t>(kind == Kind::plain ? last : last + first_mapped_number - 1);
    allocations_[region].emplace(offset, Allocation{offset, wanted, number});
    for (std::uint64_t page = offset / page_bytes; page < (offset + wanted) / page_bytes; ++page)
        shared.allocated[region][page].store(number, std::memory_order_release);
    return offset;
}

bool Machine::release(int region, std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_[region].find(offset);
    if (found == allocations_[region].end()) return false;
    const std::uint64_t end = offset + found->second.bytes;
    for (std::uint64_t page = offset / page_bytes; page < end / page_bytes; ++page)
        control_->allocated[region][page].store(0, std::memory_order_release);
    allocations_[region].erase(found);
    return true;
}

void Machine::release_all_plain(int region) {
    std::vector<std::uint64_t> offsets;
    for (const auto& [offset, allocation] : allocations_[region]) {
        if (is_plain(allocation.number)) offsets.push_back(offset);
    }
    for (const std::uint64_t offset : offsets) release(region, offset);
}

std::optional<Machine::Allocation> Machine::allocation(int region, std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    auto found = allocations_[region].upper_bound(offset);
    if (found == allocations_[region].begin()) return std::nullopt;
    --found;
    if (offset >= found->first + found->second.bytes) return std::nullopt;
    return found->second;
}

bool Machine::holds(int region, std::uint64_t offset, std::uint64_t bytes) {
    const auto found = allocation(region, offset);
    return found && is_plain(found->number) && bytes <= found->offset + found->bytes - offset;
}

int Machine::descriptor_of(int file) { return file == 0 ? store_ : control().foreign_files[file].load(); }

bool Machine::read(const Spot& from, void* into, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t now = pread(descriptor_of(from.file), static_cast<char*>(into) + done, bytes - done,
                                  static_cast<off_t>(from.place + done));
        if (now <= 0) return false;
        done += static_cast<std::uint64_t>(now);
    }
    return true;
}

bool Machine::write(const Spot& to, const void* from, std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t now = pwrite(descriptor_of(to.file), static_cast<const char*>(from) + done,
                                   bytes - done, static_cast<off_t>(to.place + done));
        if (now <= 0) return false;
        done += static_cast<std::uint64_t>(now);
    }
    return true;
}

}  // namespace peerproof::simulated
