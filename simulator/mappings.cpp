#include "simulator/mappings.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace peerproof::simulated {
namespace {

bool is_same_file(int a, int b) {
    struct stat one {
    }, other{};
    return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

}  // namespace

Mappings& the_mappings() {
    static auto* mappings = new Mappings;
    return *mappings;
}

std::optional<std::uint64_t> Mappings::reserve(std::uint64_t bytes, std::uint64_t alignment) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0 || bytes > mapped_span || alignment > mapped_span) return std::nullopt;
    const auto aligned = [&](std::uint64_t at) { return (at + alignment - 1) / alignment * alignment; };
    std::uint64_t at = aligned(mapped_base);
    // A page stays free behind each: an access beyond the end is no access to the next.
    for (const auto& [begin, length] : reserved_) {
        if (at + bytes + page_bytes <= begin) break;
        at = aligned(std::max(at, begin + length + page_bytes));
    }
    if (at + bytes > mapped_base + mapped_span) return std::nullopt;
    reserved_.emplace(at, bytes);
    return at;
}

bool Mappings::unreserve(std::uint64_t at, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = reserved_.find(at);
    if (found == reserved_.end() || found->second != bytes) return false;
    const auto inside = mapped_.lower_bound(at);
    if (inside != mapped_.end() && inside->first < at + bytes) return false;
    reserved_.erase(found);
    return true;
}

bool Mappings::is_reserved(std::uint64_t at, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    auto found = reserved_.upper_bound(at);
    if (found == reserved_.begin()) return false;
    --found;
    const std::uint64_t offset = at - found->first;
    return offset < found->second && bytes <= found->second - offset;
}

bool Mappings::map(std::uint64_t at, std::uint64_t bytes, const Backing& backing, Way way) {
    if (!is_reserved(at, bytes)) return false;
    Control& control = the_machine().control();
    const std::lock_guard lock(mutex_);
    const auto next = mapped_.lower_bound(at);
    if (next != mapped_.end() && next->first < at + bytes) return false;
    if (next != mapped_.begin()) {
        const Mapping& before = *std::prev(next)->second;
        if (before.at + before.bytes > at) return false;
    }
    for (int i = 0; i < mapping_limit; ++i) {
        const int slot = next_slot_;
        next_slot_ = (next_slot_ + 1) % mapping_limit;
        Mapping& mapping = control.mappings[slot];
        if (mapping.at != 0) continue;
        mapping.bytes = bytes;
        mapping.offset = backing.offset;
        mapping.gpu = backing.gpu;
        mapping.file = backing.file;
        mapping.way = way;
        mapping.readable = mapping.writable = 0;
        mapping.at.store(at, std::memory_order_release);
        control.mappings_used = std::max(control.mappings_used.load(), slot + 1);
        mapped_.emplace(at, &mapping);
        return true;
    }
    return false;
}

Mapping* Mappings::find(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    auto found = mapped_.upper_bound(address);
    if (found == mapped_.begin()) return nullptr;
    --found;
    return address - found->first < found->second->bytes ? found->second : nullptr;
}

std::vector<Mapping*> Mappings::exactly(std::uint64_t at, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    std::vector<Mapping*> all;
    const std::uint64_t end = at + bytes;
    for (auto each = mapped_.find(at); each != mapped_.end() && each->first == at; ++each) {
        all.push_back(each->second);
        at += each->second->bytes;
        if (at >= end) break;
    }
    if (at != end) all.clear();
    return all;
}

void Mappings::unmap(Mapping& mapping) {
    {
        const std::lock_guard lock(mutex_);
        mapped_.erase(mapping.at.load());
        mapping.at = 0;
    }
    the_machine().forget_pages();
}

int Mappings::adopt(int descriptor) {
    Machine& machine = the_machine();
    Control& control = machine.control();
    const std::lock_guard lock(mutex_);
    int file = 0;
    if (!is_same_file(descriptor, machine.store())) {
        for (file = 1; file < foreign_limit; ++file) {
            const int known = control.foreign_files[file];
            if (known == 0) {
                control.foreign_files[file] = descriptor;
                return file;
            }
            if (is_same_file(descriptor, known)) break;
        }
    }
    close(descriptor);
    return file < foreign_limit ? file : -1;
}

}  // namespace peerproof::simulated
