#include "simulator/page_table.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>

#include "simulator/enabling.hpp"
#include "simulator/graph_rules.hpp"
#include "simulator/page_maps.hpp"
#include "simulator/paths.hpp"
#include "simulator/ways.hpp"

namespace peerproof::simulated {
namespace {

// Of each owner's memory those of which a graph's first launch kept what it saw. Not initialized by anything that runs.
std::bitset<pages_of_region> kept_pages[max_gpus];

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
    munmap(reinterpret_cast<void*>(mapped_base), mapped_span);
}

bool PageTable::is_allocated(std::uint64_t place) const {
    return is_plain(
        control_.allocated[place / gpu_span][place % gpu_span / page_bytes].load(std::memory_order_acquire));
}

Fault PageTable::page_fault(std::uint64_t address, bool store) {
    if (address >= mapped_base && address < mapped_base + mapped_span) return mapped_page(address, store);
    if (address < device_base || address >= device_base + region_count * gpu_span) return Fault::illegal;
    const std::uint64_t place = (address - device_base) / page_bytes * page_bytes;
    const int owner = static_cast<int>(place / gpu_span);
    if (!is_allocated(place)) return Fault::illegal;
    if (owner == host_region) return map_real(place, {place, 0});
    const Page page{place, owner, place % gpu_span, nullptr};
    return owner == self_ ? own_page(page, store) : peer_page(page, store);
}

Fault PageTable::mapped_page(std::uint64_t address, bool store) {
    const Mapping* mapping = find_mapping(control_, address);
    if (mapping == nullptr || !may(*mapping, store)) return Fault::illegal;
    const std::uint64_t into = (address - mapping->at) / page_bytes * page_bytes;
    const Page page{mapping->at + into - device_base, mapping->gpu, mapping->offset + into, mapping};
    return page.owner == self_ ? own_page(page, store) : peer_page(page, store);
}

// Whether this GPU was given access to the memory. What IPC opened needs peer access, as plain memory does.
bool PageTable::may(const Mapping& mapping, bool store) const {
    if (mapping.way == Way::ipc) return mapping.gpu == self_ || open_to(mapping.gpu);
    const std::atomic<std::uint64_t>& given = store ? mapping.writable : mapping.readable;
    if ((given.load(std::memory_order_acquire) >> self_ & 1) != 0) return true;
    return mapping.gpu != self_ &&
           is_always_open(control_.bench, {mapping.way, mapping.file != 0}, self_, mapping.gpu);
}

// The pages around this one that one mapping of the processor can show, up to an offset within the GPU's
// memory.
PageTable::Extent PageTable::allocated_around(const Page& page, std::uint64_t end_offset) const {
    if (page.mapping != nullptr) {
        const Mapping& all = *page.mapping;
        return {{all.at - device_base, page.owner, all.offset, &all},
                std::min(all.bytes, std::max(end_offset, all.offset) - all.offset)};
    }
    const std::uint64_t gpu = page.at / gpu_span * gpu_span, last = gpu + std::min(end_offset, gpu_span);
    std::uint64_t begin = page.at, end = page.at + page_bytes;
    while (begin > gpu && is_allocated(begin - page_bytes)) begin -= page_bytes;
    while (end < last && is_allocated(end)) end += page_bytes;
    return {{begin, page.owner, begin % gpu_span, nullptr}, end - begin};
}

// Where bytes of the page end. What a GPU has of its own is in the store of this process.
template <class End>
Spot PageTable::end_of(const Page& page, End end) const {
    const bool is_at_home = end == End::own || end == End::shadow;
    return {place_through(control_.bench, end, self_, page.owner, page.offset), is_at_home ? 0 : page.file()};
}

Fault PageTable::own_page(const Page& page, bool store) {
    const Gpu& gpu = control_.bench.gpus[self_];
    const std::uint64_t kept = gpu.local_stores_dropped ? gpu.local_stores_limit : gpu_span;
    const Spot spot{place_of(self_) + page.offset, page.file()};
    const bool read_only = page.mapping != nullptr && !may(*page.mapping, true);
    if (page.offset < kept && !read_only) {
        const Extent all = allocated_around(page, kept);
        return map_real(all.first.at, {place_of(self_) + all.first.offset, page.file()}, all.bytes);
    }
    ask_again(page);
    return store ? map_private(page.at, spot) : map_read_only(page.at, spot);
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
    const auto at_times = [&](const When& when) {
        return (when.has_load && is_of(when, owner, self_)) || (when.has_store && is_of(when, self_, owner));
    };
    const auto in_graphs = [&](const WayRule& rule) {
        return (rule.has_load && is_of_graphs(rule, owner, self_)) ||
               (rule.has_store && is_of_graphs(rule, self_, owner));
    };
    return std::any_of(bench.whens, bench.whens + bench.when_count, at_times) ||
           std::any_of(bench.way_rules, bench.way_rules + bench.way_rule_count, in_graphs);
}

Fault PageTable::peer_page(const Page& page, bool store) {
    const int owner = page.owner;
    const bool is_mapped = page.mapping != nullptr, is_shut = !is_mapped && !open_to(owner);
    if (is_shut && !is_open_by_rule(control_, self_, owner)) return Fault::illegal;
    (store ? stored_ : loaded_)[owner] = true;
    const Bench& bench = control_.bench;
    const Path& loads = bench.paths[owner][self_];  // data moves from the owner to this GPU
    const Path& stores = bench.paths[self_][owner];
    if (stores.window != 0 && page.offset >= stores.window) return beyond_window(page, store);

    Load load = is_shut ? Load::fault : loads.load;
    Store end = is_shut ? Store::fault : stores.store;
    const bool may_change = loads.first_operation_lost || stores.first_operation_lost || is_ruled(owner);
    if (loads.first_operation_lost && control_.operations[owner][self_] == 0) load = Load::zeros;
    if (stores.first_operation_lost && control_.operations[self_][owner] == 0) end = Store::dropped;
    for (int i = 0; i < bench.when_count; ++i) {
        const When& when = bench.whens[i];
        if (!is_at(when, page.offset, page_bytes)) continue;
        const bool is_of_state = when.enabling != Enabling::any;
        if (is_of_state && (is_mapped || !is(control_, when.enabling, self_, owner))) continue;
        if (when.has_load && holds(when, operation(owner, self_), history_)) load = when.load;
        if (when.has_store && holds(when, operation(self_, owner), history_)) end = when.store;
    }
    bool read_only = false;
    if (page.mapping != nullptr) {
        apply_ways(bench, {page.mapping->way, page.file() != 0}, self_, owner, load, end);
        read_only = !may(*page.mapping, true);
    }
    for (int i = 0; i < bench.way_rule_count; ++i) {
        const WayRule& rule = bench.way_rules[i];
        const std::uint32_t launch = command_->graph_launch;
        if (rule.has_store && is_of_graph(rule, self_, owner, launch)) end = rule.store;
        if (!rule.has_load || !is_of_graph(rule, owner, self_, launch)) continue;
        load = rule.load;
        is_first_launch_ = launch == static_cast<std::uint32_t>(rule.after) + 1;
    }
    if (!may_change && !read_only && same_end(load, end)) {
        const Extent all = allocated_around(page, stores.window != 0 ? stores.window : gpu_span);
        return map_real(all.first.at, end_of(all.first, load), all.bytes);
    }
    if (may_change) ask_again(page);
    return store ? store_page(page, load, end) : load_page(page, load);
}

Fault PageTable::beyond_window(const Page& page, bool store) {
    const Path& path = control_.bench.paths[self_][page.owner];
    ask_again(page);
    switch (path.beyond) {
        case Beyond::faults:
            return Fault::illegal;
        case Beyond::dropped:
            return store ? map_zeros(page.at, PROT_READ | PROT_WRITE) : map_ones(page.at, PROT_READ);
        case Beyond::wraps:
            break;
    }
    return map_real(page.at, {place_of(page.owner) + page.offset % path.window, page.file()});
}

Fault PageTable::load_page(const Page& page, Load load) {
    ask_again(page);
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
            return map_zeros(page.at, PROT_READ);
        case Load::ones:
            return map_ones(page.at, PROT_READ);
        case Load::flipped:
            return map_flipped(page.at, end_of(page, load));
        case Load::stale:
            return replayed_page(page);
        default:
            break;
    }
    return map_read_only(page.at, end_of(page, load));
}

Fault PageTable::store_page(const Page& page, Load load, Store store) {
    if (!same_end(load, store)) ask_again(page);
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
            return drop_page(page, load);
        case Store::late:
        case Store::clobbers:
        case Store::spills: {
            const Spot real = end_of(page, Store::real);
            return late_.add(page.at, real, store) ? map_private(page.at, real) : Fault::illegal;
        }
        default:
            break;
    }
    return map_real(page.at, end_of(page, store));
}

// What the first launch of a graph sees is kept, and later ones see that.
Fault PageTable::replayed_page(const Page& page) {
    const Spot kept{replay_place(self_, page.owner) + page.offset};
    auto is_kept = kept_pages[page.owner][page.offset / page_bytes];
    if (is_kept && !is_first_launch_) return map_read_only(page.at, kept);
    is_kept = true;
    if (map_read_only(page.at, end_of(page, Load::real)) != Fault::mapped) return Fault::illegal;
    const auto at = static_cast<off_t>(kept.place);
    const ssize_t written = pwrite(store_descriptor, address_of(page.at), page_bytes, at);
    return written == static_cast<ssize_t>(page_bytes) ? Fault::mapped : Fault::illegal;
}

// What is stored is forgotten when the kernel ends; around it the page shows what loads see.
Fault PageTable::drop_page(const Page& page, Load load) {
    if (load == Load::zeros) return map_zeros(page.at, PROT_READ | PROT_WRITE);
    if (load == Load::ones) return map_ones(page.at, PROT_READ | PROT_WRITE);
    return map_private(page.at, end_of(page, load));
}

void PageTable::end_of_kernel() {
    late_.show();
    for (int region = 0; region < region_count; ++region) {
        if (!again_[region]) continue;
        again_[region] = false;
        munmap(address_of(place_of(region)), gpu_span);
    }
    if (again_[region_count]) {
        again_[region_count] = false;
        munmap(reinterpret_cast<void*>(mapped_base), mapped_span);
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
