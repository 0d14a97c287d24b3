// The operations over the paths that are in flight, in all processes of the session at once: from the posting of a
// kernel or a copy until it is done, or from the first access of a kernel to a window until the kernel ends, where
// the posting does not say what it will touch. Kept only where a bench asks (Bench::counts_flights).
//
//   const int flight = take_off(flights, process, {from, to, Doing::store});
//   ...
//   land(flights, flight);
//
// No locks: a process may be killed at any moment. What it leaves in flight counts no more once it is gone.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "simulator/bench.hpp"

namespace peerproof::simulated {

struct Flight {
    std::atomic<pid_t> process;         // the calling process; 0: the slot is free
    std::atomic<std::uint32_t> flying;  // path and operation, 0 where there is none
    std::atomic<std::uint64_t> number;  // of no other flight of the session
};
inline constexpr int flight_limit = 8192;

// What a flow carries first, and what another has left with it (mixing.hpp); of the flights with these numbers.
inline constexpr std::size_t mixed_bytes = 4096;
struct FlightLoad {
    std::atomic<std::uint64_t> carried_by, left_for;
    std::byte carried[mixed_bytes], left[mixed_bytes];
};

struct Flights {
    std::atomic<int> used;  // slots that have ever been
    std::atomic<std::uint64_t> numbers;
    Flight slots[flight_limit];
    FlightLoad loads[flight_limit];
};

struct Flying {
    int from, to;
    Doing doing;
};

// Its number, from 1 on; 0 where no more fit.
int take_off(Flights&, pid_t process, const Flying&);
void land(Flights&, int flight);  // 0 is none

// A flight that is still there, and its process too. Read so that number and path are of the same one.
struct Seen {
    std::uint64_t number;
    Flying flying;
};
std::optional<Seen> seen(const Flight&);

// Over how many paths something is in flight, that from the one GPU to the other included.
int active_pairs(const Flights&, int from, int to);
bool is_flying(const Flights&, int from, int to, Going what);

}  // namespace peerproof::simulated
