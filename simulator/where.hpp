// What a pointer is, for the calls of the host.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/ways.hpp"

namespace peerproof::simulated {

struct Where {
    int region = -1;  // a GPU, or the pinned host memory; -1: ordinary host memory
    std::uint64_t offset = 0;
    int file = 0;
    std::uint64_t rest = 0;          // bytes from here on that lie in the same allocation or mapping
    std::optional<MappedAs> mapped;  // not where it is plain
    std::uint64_t readable = 0;      // of mapped memory: by which GPUs, a bit each

    bool is_gpu() const { return region >= 0 && region < max_gpus; }
    Spot spot() const { return {place_of(region) + offset, file}; }
    Where at(std::uint64_t bytes) const;  // so many bytes behind, in the same allocation
};

// Of memory of the simulated machine that is not allocated, `rest` is 0; so it is of mapped memory that no GPU
// has been given access to.
Where where_is(const void* pointer);
bool holds(const Where&, std::uint64_t bytes);  // true of ordinary host memory

void* pointer_to(int region, std::uint64_t offset);

// Whether that GPU reaches the memory as its own or as a peer's.
bool reaches(int gpu, const Where& memory);

}  // namespace peerproof::simulated
