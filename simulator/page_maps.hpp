// What a page of a simulated GPU can be: a mapping of this process, at an address that is given less device_base.
#pragma once

#include <cstdint>

#include "simulator/layout.hpp"

namespace peerproof::simulated {

enum class Fault { mapped, illegal, hang, unkillable, crash };

void* address_of(std::uint64_t at);

// True memory, of as many bytes; a page of it for loads only; and a page that reads what is there, and keeps stores to
// itself.
Fault map_real(std::uint64_t at, const Spot&, std::uint64_t bytes = page_bytes);
Fault map_read_only(std::uint64_t at, const Spot&);
Fault map_private(std::uint64_t at, const Spot&);
// Pages of so many zeros or ones; what is stored there is forgotten.
Fault map_zeros(std::uint64_t at, int protection);
Fault map_ones(std::uint64_t at, int protection);
// What is there, with a bit wrong in each block.
Fault map_flipped(std::uint64_t at, const Spot&);

}  // namespace peerproof::simulated
