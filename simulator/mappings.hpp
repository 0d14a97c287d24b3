// Addresses of mapped memory, as the calling process has them: what is reserved, what is mapped there, and the
// stores of other processes. Who may map what is decided in api_ipc.cpp, api_pool.cpp and driver_memory.cpp.
//
//   Mappings& mappings = the_mappings();
//   const auto at = mappings.reserve(bytes);
//   mappings.map(*at, bytes, {gpu, offset, file}, Way::vmm);
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "simulator/machine.hpp"

namespace peerproof::simulated {

// Whose memory, from where on, and in which file.
struct Backing {
    int gpu;
    std::uint64_t offset;
    int file = 0;
};

class Mappings {
  public:
    std::optional<std::uint64_t> reserve(std::uint64_t bytes, std::uint64_t alignment = page_bytes);
    bool unreserve(std::uint64_t at, std::uint64_t bytes);  // false: not reserved so, or something is mapped
    bool is_reserved(std::uint64_t at, std::uint64_t bytes);

    // False where it is not reserved, or something is mapped there.
    bool map(std::uint64_t at, std::uint64_t bytes, const Backing&, Way);
    Mapping* find(std::uint64_t address);  // null where nothing is mapped
    // Those that make up the range, whole and without a gap; none where there are no such.
    std::vector<Mapping*> exactly(std::uint64_t at, std::uint64_t bytes);
    void unmap(Mapping&);

    // The number of an open file of another process's memory, which keeps the descriptor; 0 where it is the
    // store of this one, -1 where there are too many.
    int adopt(int descriptor);

  private:
    std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> reserved_;  // address -> bytes
    std::map<std::uint64_t, Mapping*> mapped_;         // by address
    int next_slot_ = 0;
};

Mappings& the_mappings();

}  // namespace peerproof::simulated
