// What the calling process and its GPU processes share: where things are, and the control block.
//
// All memory of a simulated machine is one sparse file, the store. GPU k owns gpu_span bytes of it at k *
// gpu_span, and the device address of a byte is its place in the store plus device_base, the same in every
// process. Behind the GPUs lie the pinned host memory and places that no owner ever looks at: shadows, and
// what a stale copy repeats.
//
// Memory that software maps in another way than by cudaMalloc (Way) has addresses of its own, behind those: a
// mapping says whose memory is there, and in which file: the store, or that of another process.
//
// The device addresses are clear of everything that a process maps by itself, the address sanitizer's shadow
// included.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "simulator/bench.hpp"

namespace peerproof::simulated {

inline constexpr std::uint64_t gpu_span = std::uint64_t{1} << 39;
// Of the page table of a GPU, as on a real one.
inline constexpr std::uint64_t page_bytes = std::uint64_t{1} << 21;
inline constexpr std::uint64_t device_base = 0x2000'0000'0000;
inline constexpr int host_region = max_gpus;  // pinned host memory is addressed like one more GPU
inline constexpr int region_count = max_gpus + 1;
inline constexpr std::uint64_t host_bytes = std::uint64_t{1} << 36;
inline constexpr std::uint64_t pages_of_region = gpu_span / page_bytes;

constexpr std::uint64_t place_of(int region) { return static_cast<std::uint64_t>(region) * gpu_span; }
// What `actor` sees instead of the memory of `owner`, where the bench says so.
constexpr std::uint64_t shadow_place(int actor, int owner) {
    return place_of(region_count + actor * max_gpus + owner);
}
// Nowhere: what is stored here, nobody reads.
constexpr std::uint64_t nowhere_place(int actor) { return shadow_place(actor, actor); }
constexpr std::uint64_t stale_place(int from, int to) {
    return shadow_place(max_gpus, 0) + place_of(from * max_gpus + to);
}
// What `actor` saw of the memory of `owner` in the first launch of a graph, where later ones see it again.
constexpr std::uint64_t replay_place(int actor, int owner) {
    return stale_place(max_gpus, 0) + place_of(actor * max_gpus + owner);
}
inline constexpr std::uint64_t store_bytes = replay_place(max_gpus, 0);
inline constexpr std::uint64_t mapped_base = 0x4800'0000'0000, mapped_span = 0x0800'0000'0000;

// A byte of a file: 0 is the store, others are those of foreign_files.
struct Spot {
    std::uint64_t place = 0;
    int file = 0;
};

enum class Act : std::uint32_t {
    kernel,
    copy,    // bytes from one place of the store to another
    fill,    // bytes with one value
    record,  // the time into an event
    wait,    // until another GPU's queue has come to a number
    hang,
    elapse,  // nothing but the time of its transfer
};

inline constexpr int argument_limit = 24;
inline constexpr std::size_t argument_bytes_limit = 512;

// What a command moves, for its modelled time.
struct Transfer {
    enum class Kind : std::uint8_t { none, own, kernel, copy, staged, host_in, host_out, loads, rounds };
    Kind kind;
    std::uint8_t bidirectional;  // another goes the other way at the same time
    std::int16_t from, to;       // GPUs
    std::uint64_t amount;        // bytes, loads, or rounds
};

struct Command {
    Act act;
    Transfer transfer;
    std::uint32_t event;     // record
    std::int32_t gpu;        // wait
    std::uint32_t number;    // wait
    std::uint64_t to, from;  // places in the store, or in these files
    std::int32_t to_file, from_file;
    std::uint64_t bytes;
    std::uint64_t rows, to_pitch, from_pitch;  // copy: so many times `bytes`; 0 is once
    std::uint8_t value;                        // fill
    std::uint32_t graph_launch;                // kernel: of a graph's launch of this number; 0: of no graph
    bool flip;                                 // copy: as over a link that flips bits
    char kernel[64];
    std::uint32_t argument_offset[argument_limit];
    alignas(16) std::byte arguments[argument_bytes_limit];
};

inline constexpr std::uint32_t queue_depth = 64;

// What a GPU process asks of the calling process, which finds it while it waits.
enum class Request : std::uint32_t { none, hung, crash, unkillable };

// The calling process posts, the GPU process does: everything on one GPU happens in the order of its posting.
struct Queue {
    std::atomic<std::uint32_t> posted;
    std::atomic<std::uint32_t> done;
    std::atomic<std::uint32_t> error;  // the CUDA error that ended this GPU; sticky
    std::atomic<Request> request;
    std::atomic<std::int64_t> clock;       // modelled time, ns
    std::atomic<std::uint32_t> remapping;  // counts changes of the page table
    Command ring[queue_depth];
};

inline constexpr std::uint32_t event_limit = 4096;

// Addresses that show a part of a GPU's memory, whole pages. Written by the calling process; a slot is used
// again only when all others have been.
struct Mapping {
    std::atomic<std::uint64_t> at;  // the first address; 0: not in use
    std::uint64_t bytes;
    std::uint64_t offset;  // in the memory of the GPU
    std::int32_t gpu;
    std::int32_t file;
    Way way;
    // Which GPUs have been given access, a bit each. What IPC opens is reached as what cudaMalloc gives is.
    std::atomic<std::uint64_t> readable, writable;
};
inline constexpr int mapping_limit = 4096, foreign_limit = 128;

struct Control {
    Bench bench;
    Queue queues[max_gpus];
    std::atomic<std::int64_t> enabled_at[max_gpus][max_gpus];  // [actor][owner]: ns, 0 where not enabled
    std::atomic<std::uint8_t> enabling[max_gpus][max_gpus];    // [actor][owner]: enabling.cpp
    // [from][to]: what was done over the path so far.
    std::atomic<std::uint32_t> operations[max_gpus][max_gpus];
    std::atomic<std::int64_t> event_times[event_limit];  // modelled, ns
    // By page: 0 where nothing is, else the number of the allocation.
    std::atomic<std::uint8_t> allocated[region_count][pages_of_region];
    std::atomic<int> mappings_used;  // slots that have ever been
    Mapping mappings[mapping_limit];
    // Descriptors of the calling process: stores of others. The first is not used.
    std::atomic<int> foreign_files[foreign_limit];
};

// Numbers of allocations. Those that are reached by mappings alone are not to be had at their plain address.
inline constexpr std::uint8_t first_mapped_number = 128;
constexpr bool is_plain(std::uint8_t number) { return number != 0 && number < first_mapped_number; }

const Mapping* find_mapping(const Control&, std::uint64_t address);  // null where nothing is mapped

std::int64_t now_ns();
void wake(std::atomic<std::uint32_t>&);
// Until the word is no longer `seen`, or the time has passed; may return early.
void sleep_while(std::atomic<std::uint32_t>&, std::uint32_t seen, int milliseconds);

// Descriptors of a GPU process, which has these and no others.
inline constexpr int control_descriptor = 3;
inline constexpr int store_descriptor = 4;
inline constexpr int parent_descriptor = 5;
inline constexpr int history_descriptor = 6;

}  // namespace peerproof::simulated
