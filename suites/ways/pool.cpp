// Pool: memory of the owner's pool (cudaMallocAsync), which the GPU at the other end is given access to by
// cudaMemPoolSetAccess: in one process, and as a shared pool of which another process imports a pointer. Frameworks
// allocate in this way; enabling peer access says nothing of such memory.
#include "fixtures/ways/pool_memory.hpp"
#include "fixtures/ways/shared_way.hpp"

namespace peerproof {

namespace {

// Memory of a pool that a second process can open.
struct SharedPool {
    SharedPool(int owner, std::uint64_t words)
        : pool(owner, PoolMemory::Of::processes, words * sizeof(std::uint64_t)),
          memory(owner, pool.data(), words) {
        shared.open = {.act = Command::Act::open_pool, .owner = owner};
        pool.share(file, shared.open.handle);
        shared.file = file.get();
        shared.here = reinterpret_cast<std::uint64_t>(pool.data());
    }

    PoolMemory pool;
    OwnedMemory memory;
    Descriptor file;
    Shared shared;
};

}  // namespace

struct Pool : SharedWay {};

TEST_P(Pool, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::leave, [&] {
        constexpr std::uint64_t words = room_for(block_words);
        const auto [source, destination] = ends();
        {
            const PoolMemory from(source, PoolMemory::Of::gpu, words * sizeof(std::uint64_t)),
                to(destination, PoolMemory::Of::gpu, words * sizeof(std::uint64_t));
            OwnedMemory source_block(source, from.data(), words),
                destination_block(destination, to.data(), words);
            in_this_process({source_block, [&](int actor) { return from.grant(actor); }},
                            {destination_block, [&](int actor) { return to.grant(actor); }});
        }
        where_it_applies("exported", [&] {
            SharedPool from(source, words), to(destination, words);
            SharedPair there(second, from.shared, to.shared);
            part_elsewhere("exported load", from.memory, to.memory,
                           [&](const Move& move) { return there.load(move); });
            part_elsewhere("exported store", from.memory, to.memory,
                           [&](const Move& move) { return there.store(move); });
        });
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Pool, Delivers,
                         {.number = 53,
                          .title = "A pool's memory, in one process and two",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
