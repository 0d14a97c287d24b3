// Which atomics a bench tells apart, and what it may make of them.
#pragma once

#include <cstdint>

namespace peerproof::simulated {

enum class AtomicOperation : std::uint8_t { add, exchange, compare_and_swap, bit_or, bit_and, other };
enum class AtomicDeed : std::uint8_t { as_written, lost, twice, torn, not_atomic };

}  // namespace peerproof::simulated
