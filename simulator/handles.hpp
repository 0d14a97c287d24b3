// What one process says of its memory to another: 64 bytes of a handle, or of the file whose descriptor is handed
// over. The memory itself is the store of the process that made the handle, which the other opens through
// /proc: it must still run, and the allocation must still be there.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/layout.hpp"

namespace peerproof::simulated {

struct Handle {
    enum class Kind : std::uint8_t { ipc, memory, pool, pointer };  // pointer: of an allocation of a pool
    std::uint32_t check;  // of all that follows and of the bench: not one that is made up
    Kind kind;
    std::uint8_t number;  // of the allocation, as in Control::allocated
    std::int16_t gpu;
    std::int32_t pid;
    std::int32_t store, control;  // descriptors of that process
    std::uint32_t pool;
    std::uint64_t started;  // when the process was: pids come again
    std::uint64_t inode;    // of the store
    std::uint64_t offset, bytes;
    std::uint64_t unused;
};
static_assert(sizeof(Handle) == 64);

// Of memory of this process; of a pool, `bytes` is 0.
Handle make_handle(Handle::Kind, int gpu, std::uint64_t offset, std::uint64_t bytes, std::uint32_t pool = 0);
bool is_of_this_process(const Handle&);

// The number of its file (Mappings::adopt), where the handle is of that kind and of memory that is there.
std::optional<int> open_handle(const Handle&, Handle::Kind);

// A descriptor for another process, -1 where none can be made; and the handle in such a one.
int to_descriptor(const Handle&);
std::optional<Handle> from_descriptor(int descriptor);

}  // namespace peerproof::simulated
