// What the paths have carried in this session, over all its processes: a file that they and their GPU
// processes map, in PEERPROOF_SIMULATED_STATE, or one without a name where that is not set. And which
// [[when]] holds now.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "simulator/bench.hpp"
#include "simulator/flights.hpp"
#include "simulator/layout.hpp"

namespace peerproof::simulated {

struct History {
    std::atomic<std::int64_t> began_ns;                         // of the first process; CLOCK_MONOTONIC
    std::atomic<std::uint32_t> run;                             // the number of this session, from 1
    std::atomic<std::uint64_t> operations[max_gpus][max_gpus];  // [from][to]
    std::atomic<std::uint64_t> bytes[max_gpus][max_gpus];
    std::atomic<std::uint64_t> total_bytes;
    std::atomic<std::uint32_t> processes[doings][max_gpus][max_gpus];  // that have done so over the path
    Flights flights;
};

// A descriptor of the file of that folder, made at first use; -1 with errno where it cannot be.
int open_history(const std::string& state_folder);
History* map_history(int descriptor);  // null where it cannot be mapped

// Numbers this session, once: how many folders beside that of the session have a history. Without one it is the first.
void number_run(History& history, const std::string& state_folder);

// The operation that is to be done, or is being done, over the path from one GPU to another.
struct Operation {
    int from, to;
    Doing doing;
    std::uint64_t bytes;
    bool bidirectional;
    std::uint32_t process;  // which_process()
};

// Which of the session's processes that do so over this path the calling one is, or would be, from 1 on.
std::uint32_t which_process(const Control&, const History&, Doing, int from, int to);
void count_process(Control&, History&, Doing, int from, int to);  // once a process

SoFar so_far(const Bench&, const History&, int gpu);

// Whether the rule is of the path from the one to the other.
bool is_of(const When& when, int from, int to);
// Whether the rule is of this operation, its place and its window aside.
bool holds(const Bench&, const When& when, const Operation& operation, const History& history);
bool is_at(const When& when, std::uint64_t offset, std::uint64_t bytes);
void count(const Bench&, const Operation& operation, History& history);  // once it is done

}  // namespace peerproof::simulated
