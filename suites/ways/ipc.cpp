// IPC: the owner gives its memory out by cudaIpcGetMemHandle, and another process opens the handle on the GPU at the
// other end and loads, stores and copies through it; also at a place inside the allocation, and when it closed the
// handle and opened it again. The all-reduces that serving software has of its own stand on this.
#include <cstring>

#include "fixtures/ways/shared_way.hpp"
#include "fixtures/ways/supported.hpp"

namespace peerproof {

namespace {

// Larger than what the driver packs into one block of addresses: the handle is of this allocation and no other.
constexpr std::uint64_t allocation_words = 4 * 1024 * 1024 / 8, inside = allocation_words / 2 + 96 * 1024 / 8;

Shared by_handle(const OwnedMemory& memory) {
    cudaIpcMemHandle_t handle;
    PEERPROOF_NEED(cudaSetDevice(memory.ordinal()), "choosing the GPU");
    need_supported(PEERPROOF_CALL(cudaIpcGetMemHandle(&handle, memory.at(0))), "giving memory a handle");
    Shared shared{.open = {.act = Command::Act::open_ipc, .owner = memory.ordinal()},
                  .here = reinterpret_cast<std::uint64_t>(memory.at(0))};
    std::memcpy(shared.open.handle, &handle, sizeof handle);
    return shared;
}

}  // namespace

struct Ipc : SharedWay {};

TEST_P(Ipc, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::leave, [&] {
        OwnedMemory from(ends().source, allocation_words), to(ends().destination, allocation_words);
        OwnedMemory from_inside(from.ordinal(), from.at(inside), room_for(block_words)),
            to_inside(to.ordinal(), to.at(inside), room_for(block_words));
        SharedPair there(second, by_handle(from), by_handle(to));
        const auto load = [&](const Move& move) { return there.load(move); };
        part_elsewhere("load", from, to, load);
        part_elsewhere("store", from, to, [&](const Move& move) { return there.store(move); });
        part_elsewhere("copy", from, to, [&](const Move& move) { return there.copy(move); });
        part_elsewhere("offset", from_inside, to_inside, load);
        part_elsewhere("reopened", from, to, [&](const Move& move) {
            const Status closed = there.close_source();
            return closed.ok() ? there.load(move) : closed;
        });
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Ipc, Delivers,
                         {.number = 51,
                          .title = "Memory of another process, by CUDA IPC",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
