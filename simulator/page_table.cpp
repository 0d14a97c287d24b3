#include "simulator/page_table.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>

#include "simulator/graph_rules.hpp"
#include "simulator/paths.hpp"

namespace peerproof::simulated {
namespace {

constexpr std::uint64_t page_words = page_bytes / sizeof(std::uint64_t);

// Of each owner's memory those of which a graph's first launch kept what it saw. Not initialized by anything that runs.
std::bitset<pages_of_region> kept_pages[max_gpus];

void* address_of(std::uint64_t place) { return reinterpret_cast<void*>(device_base + place); }

Fault map(std::uint64_t at, std::uint64_t bytes, int protection, int flags, int descriptor,
          std::uint64_t place) {
    void* address = mmap(address_of(at), bytes, protection, flags | MAP_FIXED | MAP_NORESERVE, descriptor,
                         static_cast<off_t>(place));
    return address == MAP_FAILED ? Fault::illegal : Fault::mapped;
}

Fault map_real(std::uint64_t at, std::uint64_t place, std::uint64_t bytes = page_bytes) {
    return map(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, store_descriptor, place);
}
Fault map_read_only(std::uint64_t at, std::uint64_t place) {
    return map(at, page_bytes, PROT_READ, MAP_SHARED, store_descriptor, place);
}
// Reads what is there, and keeps stores to itself.
Fault map_private(std::uint64_t at, std::uint64_t place) {
    return map(at, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, store_descriptor, place);
}
Fault map_zeros(std::uint64_t at, int protection) {
    return map(at, page_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int file_of_ones() {
    static const int ones = [] {
        const int descriptor = memfd_create("peerproof-ones", MFD_CLOEXEC);
        static std::uint8_t ones_block[4096];
        for (std::uint8_t& each : ones_block) each = 0xff;
        for (std::uint64_t at = 0; at < page_bytes; at += sizeof ones_block) {
            if (pwrite(descriptor, ones_block, sizeof ones_block, static_cast<off_t>(at)) < 0) return -1;
        }
        return descriptor;
    }();
    return ones;
}

Fault map_ones(std::uint64_t at, int protection) {
    return map(at, page_bytes, protection, MAP_PRIVATE, file_of_ones(), 0);
}

Fault map_flipped(std::uint64_t at) {
    if (map_private(at, at) != Fault::mapped) return Fault::illegal;
    auto* words = static_cast<std::uint64_t*>(address_of(at));
    for (std::uint64_t i = flip_word; i < page_words; i += flip_step_words) words[i] ^= flip_bit;
    return mprotect(words, page_bytes, PROT_READ) == 0 ? Fault::mapped : Fault::illegal;
}

// Loads and stores end in the same memory.
bool same_end(Load load, Store store) {
    switch (load) {
        case Load::real:
            return store == Store::real;
        case Load::own:
            return store == Store::own;
        case Load::neighbour:
            return store == Store::neighbour;
        case Load::shadow:
            return store == Store::shadow;
        case Load::shifted:
            return store == Store::shifted;
        default:
            return false;
    }
}

}  // namespace

void PageTable::begin_of_kernel(const Command& command) {
    command_ = &command;
    const std::uint32_t remapping = control_.queues[self_].remapping.load(std::memory_order_acquire);
    if (remapping == remapping_) return;
    remapping_ = remapping;
    munmap(address_of(0), region_count * gpu_span);
}

bool PageTable::is_allocated(std::uint64_t place) const {
    return control_.allocated[place / gpu_span][place % gpu_span / page_bytes].load(
               std::memory_order_acquire) != 0;
}

Fault PageTable::page_fault(std::uint64_t address, bool store) {
    if (address < device_base || address >= device_base + region_count * gpu_span) return Fault::illegal;
    const std::uint64_t place = (address - device_base) / page_bytes * page_bytes;
    const int owner = static_cast<int>(place / gpu_span);
    if (!is_allocated(place)) return Fault::illegal;
    if (owner == host_region) return map_real(place, place);
    if (owner == self_) return own_page(place, store);
    return peer_page(owner, place, store);
}

// The allocated pages around this one, up to an offset within the GPU's memory.
PageTable::Extent PageTable::allocated_around(std::uint64_t place, std::uint64_t end_offset) const {
    const std::uint64_t gpu = place / gpu_span * gpu_span, last = gpu + std::min(end_offset, gpu_span);
    std::uint64_t begin = place, end = place + page_bytes;
    while (begin > gpu && is_allocated(begin - page_bytes)) begin -= page_bytes;
    while (end < last && is_allocated(end)) end += page_bytes;
    return {begin, end - begin};
}

Fault PageTable::own_page(std::uint64_t place, bool store) {
    const Gpu& gpu = control_.bench.gpus[self_];
    const std::uint64_t kept = gpu.local_stores_dropped ? gpu.local_stores_limit : gpu_span;
    if (place % gpu_span < kept) {
        const Extent all = allocated_around(place, kept);
        return map_real(all.at, all.at, all.bytes);
    }
    ask_again(self_);
    return store ? map_private(place, place) : map_read_only(place, place);
}

bool PageTable::open_to(int owner) const {
    const Path& path = control_.bench.paths[self_][owner];
    if (path.always_mapped) return true;
    const std::int64_t enabled_at = control_.enabled_at[self_][owner].load(std::memory_order_acquire);
    return enabled_at != 0 && now_ns() - enabled_at >= std::int64_t{path.enable_lag_ms} * 1'000'000;
}

Operation PageTable::operation(int from, int to) const {
    const Transfer& transfer = command_->transfer;
    const std::uint64_t bytes = transfer.kind == Transfer::Kind::kernel ? transfer.amount : 8;
    return {from, to, bytes, transfer.bidirectional != 0};
}

// Whether what happens between this GPU and that one may be another thing at the next kernel.
bool PageTable::is_ruled(int owner) const {
    const Bench& bench = control_.bench;
    const auto is = [](int wanted, int gpu) { return wanted == -1 || wanted == gpu; };
    const auto at_times = [&](const When& when) {
        return (when.has_load && is(when.from, owner) && is(when.to, self_)) ||
               (when.has_store && is(when.from, self_) && is(when.to, owner));
    };
    const auto in_graphs = [&](const WayRule& rule) {
        return (rule.has_load && is_of_graphs(rule, owner, self_)) ||
               (rule.has_store && is_of_graphs(rule, self_, owner));
    };
    return std::any_of(bench.whens, bench.whens + bench.when_count, at_times) ||
           std::any_of(bench.way_rules, bench.way_rules + bench.way_rule_count, in_graphs);
}

Fault PageTable::peer_page(int owner, std::uint64_t place, bool store) {
    if (!open_to(owner)) return Fault::illegal;
    (store ? stored_ : loaded_)[owner] = true;
    const Path& loads = control_.bench.paths[owner][self_];  // data moves from the owner to this GPU
    const Path& stores = control_.bench.paths[self_][owner];
    const std::uint64_t offset = place % gpu_span;
    if (stores.window != 0 && offset >= stores.window) return beyond_window(owner, place, store);

    Load load = loads.load;
    Store end = stores.store;
    const bool may_change = loads.first_operation_lost || stores.first_operation_lost || is_ruled(owner);
    if (loads.first_operation_lost && control_.operations[owner][self_] == 0) load = Load::zeros;
    if (stores.first_operation_lost && control_.operations[self_][owner] == 0) end = Store::dropped;
    for (int i = 0; i < control_.bench.when_count; ++i) {
        const When& when = control_.bench.whens[i];
        if (!is_at(when, offset, page_bytes)) continue;
        if (when.has_load && holds(when, operation(owner, self_), history_)) load = when.load;
        if (when.has_store && holds(when, operation(self_, owner), history_)) end = when.store;
    }
    for (int i = 0; i < control_.bench.way_rule_count; ++i) {
        const WayRule& rule = control_.bench.way_rules[i];
        const std::uint32_t launch = command_->graph_launch;
        if (rule.has_store && is_of_graph(rule, self_, owner, launch)) end = rule.store;
        if (!rule.has_load || !is_of_graph(rule, owner, self_, launch)) continue;
        load = rule.load;
        is_first_launch_ = launch == static_cast<std::uint32_t>(rule.after) + 1;
    }
    if (!may_change && same_end(load, end)) {
        const Extent all = allocated_around(place, stores.window != 0 ? stores.window : gpu_span);
        return map_real(all.at, place_through(control_.bench, load, self_, owner, all.at % gpu_span),
                        all.bytes);
    }
    if (may_change) ask_again(owner);
    return store ? store_page(owner, place, load, end) : load_page(owner, place, load);
}

Fault PageTable::beyond_window(int owner, std::uint64_t place, bool store) {
    const Path& path = control_.bench.paths[self_][owner];
    ask_again(owner);
    switch (path.beyond) {
        case Beyond::faults:
            return Fault::illegal;
        case Beyond::dropped:
            return store ? map_zeros(place, PROT_READ | PROT_WRITE) : map_ones(place, PROT_READ);
        case Beyond::wraps:
            break;
    }
    return map_real(place, place_of(owner) + place % gpu_span % path.window);
}

Fault PageTable::load_page(int owner, std::uint64_t place, Load load) {
    ask_again(owner);
    switch (load) {
        case Load::fault:
            return Fault::illegal;
        case Load::hang:
            return Fault::hang;
        case Load::unkillable:
            return Fault::unkillable;
        case Load::crash:
            return Fault::crash;
        case Load::zeros:
            return map_zeros(place, PROT_READ);
        case Load::ones:
            return map_ones(place, PROT_READ);
        case Load::flipped:
            return map_flipped(place);
        case Load::stale:
            return replayed_page(owner, place);
        default:
            break;
    }
    return map_read_only(place, place_through(control_.bench, load, self_, owner, place % gpu_span));
}

Fault PageTable::store_page(int owner, std::uint64_t place, Load load, Store store) {
    if (!same_end(load, store)) ask_again(owner);
    switch (store) {
        case Store::fault:
            return Fault::illegal;
        case Store::hang:
            return Fault::hang;
        case Store::unkillable:
            return Fault::unkillable;
        case Store::crash:
            return Fault::crash;
        case Store::dropped:
            return drop_page(owner, place, load);
        case Store::late:
        case Store::clobbers:
        case Store::spills:
            return late_.add(place, store) ? map_private(place, place) : Fault::illegal;
        default:
            break;
    }
    return map_real(place, place_through(control_.bench, store, self_, owner, place % gpu_span));
}

// What the first launch of a graph sees is kept, and later ones see that.
Fault PageTable::replayed_page(int owner, std::uint64_t place) {
    const std::uint64_t offset = place % gpu_span, kept = replay_place(self_, owner) + offset;
    auto is_kept = kept_pages[owner][offset / page_bytes];
    if (is_kept && !is_first_launch_) return map_read_only(place, kept);
    is_kept = true;
    if (map_read_only(place, place) != Fault::mapped) return Fault::illegal;
    const ssize_t written = pwrite(store_descriptor, address_of(place), page_bytes, static_cast<off_t>(kept));
    return written == static_cast<ssize_t>(page_bytes) ? Fault::mapped : Fault::illegal;
}

// What is stored is forgotten when the kernel ends; around it the page shows what loads see.
Fault PageTable::drop_page(int owner, std::uint64_t place, Load load) {
    if (load == Load::zeros) return map_zeros(place, PROT_READ | PROT_WRITE);
    if (load == Load::ones) return map_ones(place, PROT_READ | PROT_WRITE);
    return map_private(place, place_through(control_.bench, load, self_, owner, place % gpu_span));
}

void PageTable::end_of_kernel() {
    late_.show();
    for (int region = 0; region < region_count; ++region) {
        if (!again_[region]) continue;
        again_[region] = false;
        munmap(address_of(place_of(region)), gpu_span);
    }
    for (int owner = 0; owner < max_gpus; ++owner) {
        if (loaded_[owner]) {
            control_.operations[owner][self_].fetch_add(1);
            count(operation(owner, self_), history_);
        }
        if (stored_[owner]) {
            control_.operations[self_][owner].fetch_add(1);
            count(operation(self_, owner), history_);
        }
        loaded_[owner] = stored_[owner] = false;
    }
}

}  // namespace peerproof::simulated
