// Stores that their owner sees when the kernel ends, and not before: they go to private pages, which are
// compared with the real ones then. Some paths write more than was stored.
#pragma once

#include <cstdint>

#include "simulator/layout.hpp"

namespace peerproof::simulated {

class LateStores {
  public:
    // The page at this address, less device_base, shows memory from this spot on and is mapped privately. False
    // where no more fit.
    bool add(std::uint64_t at, const Spot& memory, Store how);
    void show();

  private:
    struct Page {
        std::uint64_t at;
        Spot memory;
        Store how;
    };
    static void show_page(const Page& page);

    static constexpr int limit = 1 << 17;
    Page pages_[limit];
    int count_ = 0;
};

}  // namespace peerproof::simulated
