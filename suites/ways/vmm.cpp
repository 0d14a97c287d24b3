// VMM: memory of the owner by the virtual memory management API, mapped with access for the GPU at the other end: in one
// process, over two allocations side by side, and as a file that another process maps. NCCL and the symmetric memory
// of frameworks stand on this. Memory that is mapped without access must stay shut.
#include "fixtures/peer_kernels.hpp"
#include "fixtures/ways/mapped_blocks.hpp"
#include "fixtures/ways/shared_way.hpp"

namespace peerproof {

struct Vmm : SharedWay {};

TEST_P(Vmm, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::leave, [&] {
        const auto [source, destination] = ends();
        MappedBlocks from(source, destination, room_for(block_words)),
            to(destination, source, room_for(block_words));
        in_this_process({from.first, [&](int actor) { return from.memory.grant(actor); }},
                        {to.first, [&](int actor) { return to.memory.grant(actor); }});
        part("two allocations", from.across, to.across, block_words, load_by_destination);
        where_it_applies("exported", [&] {
            SharedPair there(second, from.by_file(), to.by_file());
            part_elsewhere("exported load", from.first, to.first,
                           [&](const Move& move) { return there.load(move); });
            part_elsewhere("exported store", from.first, to.first,
                           [&](const Move& move) { return there.store(move); });
            Shared shut = to.by_file();
            shut.open.act = Command::Act::open_without;
            Window without_access(second, shut, source);
            part_that_is_illegal("without access", from.first, to.first, [&](const Move& move) {
                if (const Status opened = without_access.open(); !opened.ok())
                    throw NotSetUp(opened, "mapping memory without access");
                return there.store(move, without_access);
            });
        });
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Vmm, Delivers,
                         {.number = 52,
                          .title = "Mapped memory (cuMemMap), in one process and two",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
