// The page table of one simulated GPU: this process's own address space.
//
// Nothing is mapped ahead. The first access to a page is a page fault of the processor, and the handler of
// that fault asks page_fault() what the bench says: a page is mapped and the access is repeated, or the
// address is illegal. A fault tells loads from stores, so that the two can have different ends: a page is
// mapped for reading where loads end, and when it is stored to, it is mapped again where stores end. It stays
// so until the kernel ends; then end_of_kernel() unmaps what must be asked for again. Memory whose loads and
// stores both end in the same place for good is mapped by whole allocations: a kernel that touches a word of
// every page of a GPU would otherwise spend its time here.
//
// It is not exact for a kernel that stores into a page and then loads from it, where the two ends differ:
// such a load sees what was stored.
#pragma once

#include <cstdint>

#include "simulator/history.hpp"
#include "simulator/late_stores.hpp"
#include "simulator/layout.hpp"
#include "simulator/page_maps.hpp"

namespace peerproof::simulated {

class PageTable {
  public:
    PageTable(Control& control, History& history, int self)
        : control_(control), history_(history), self_(self) {}

    void begin_of_kernel(const Command& command);
    Fault page_fault(std::uint64_t address, bool store);
    void end_of_kernel();

  private:
    // A page that a kernel wants, and the memory that it stands for.
    struct Page {
        std::uint64_t at;  // its address, less device_base
        int owner;
        std::uint64_t offset;    // in the memory of the owner
        const Mapping* mapping;  // null where it is plain
        int file() const { return mapping == nullptr ? 0 : mapping->file; }
    };
    struct Extent {
        Page first;
        std::uint64_t bytes;
    };
    bool open_to(int owner) const;
    bool is_allocated(std::uint64_t place) const;
    bool may(const Mapping&, bool store) const;
    Extent allocated_around(const Page&, std::uint64_t end_offset) const;
    Operation operation(int from, int to) const;
    void note_touched(int owner, bool store);
    bool is_ruled(int owner) const;
    Fault mapped_page(std::uint64_t address, bool store);
    Fault own_page(const Page&, bool store);
    Fault peer_page(const Page&, bool store);
    Fault beyond_window(const Page&, bool store);
    Fault load_page(const Page&, Load);
    Fault store_page(const Page&, Load, Store);
    Fault drop_page(const Page&, Load);
    Fault replayed_page(const Page&);
    template <class End>
    Spot end_of(const Page&, End) const;
    void ask_again(const Page& page) { again_[page.mapping == nullptr ? page.owner : region_count] = true; }

    Control& control_;
    History& history_;
    int self_;
    // The kernel that runs: its transfer may yet learn that it meets another one.
    const Command* command_ = nullptr;
    std::uint32_t remapping_ = 0;
    bool again_[region_count + 1] = {};  // the last is what is mapped
    bool loaded_[max_gpus] = {};         // from this owner's window, by the kernel that runs
    bool stored_[max_gpus] = {};
    int flights_[2][max_gpus] = {};  // of its loads and stores, where its posting did not say so
    bool is_first_launch_ = false;   // of the graph that the kernel is of, under a rule
    LateStores late_;
};

}  // namespace peerproof::simulated
