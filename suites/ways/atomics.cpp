// Atomics: many threads of a kernel on the source change words of the destination's memory while a kernel of the
// destination changes the same words, by add, compare-and-swap, exchange, or and and, of 32 and 64 bits and system
// scope. Every update must be done exactly once. Software that counts, locks or reduces over a peer's memory stands on
// this, and stores that arrive do not show it. Where the driver reports no native atomics between the two, none are
// promised, and the check does not apply.
#include "fixtures/contest.hpp"
#include "fixtures/launch.hpp"
#include "fixtures/two_kernels.hpp"
#include "fixtures/way_check.hpp"
#include "fixtures/word_array.hpp"
#include "session/format.hpp"

namespace peerproof {
using kernels::Atomic;
using kernels::Contest;

class Atomics : public WayCheck {
  protected:
    // Of memory: as many of 64 bits, twice as many of 32. A simulated GPU does every update in one thread.
    static std::uint64_t contested_words() { return context().plan.simulated ? 16 : 128; }
    static constexpr std::uint64_t ticks_to_meet = 200'000'000;  // 0.1 s or so

    // A bit of its own for each update of or and and, as many as there are.
    static std::uint64_t rounds_of(Atomic operation, std::uint32_t bits) {
        return operation == Atomic::bit_or || operation == Atomic::bit_and ? bits / 2 : 32;
    }

    struct Table {
        explicit Table(const Ends& ends)
            : contested(ends.destination, contested_words()),
              returned{WordArray(ends.destination, 2 * contested_words()),
                       WordArray(ends.source, 2 * contested_words())},
              two(ends.destination, ends.source, ticks_to_meet),
              gpus{ends.destination, ends.source} {
            for (const int gpu : gpus) load_kernel(gpu, kernels::contend);
        }
        WordArray contested;
        std::array<WordArray, 2> returned;  // by side: the owner, its peer
        TwoKernels two;
        std::array<int, 2> gpus;
    };

    void contend(Table& table, Atomic operation, std::uint32_t bits) {
        if (!can_go_on()) return;
        Contest contest{.operation = operation,
                        .bits = bits,
                        .words = table.contested.data(),
                        .count = contested_words() * 64 / bits,
                        .rounds = rounds_of(operation, bits)};
        contest.key = stamp(1, Role::value).bits() + 2 * bits + static_cast<std::uint64_t>(operation);
        table.contested.set(packed(contest, initial_words(contest)));
        for (WordArray& returned : table.returned) returned.set(std::vector<std::uint64_t>(returned.count()));
        const TwoKernels::Ran ran =
            table.two.run(patience_of_kernels(), side(0, contest, table), side(1, contest, table));
        if (!ran.status.ok()) {
            Step step = failed_step(ran.status, "both kernels");
            step.name = name_of(contest);
            return add_step(std::move(step));
        }
        Step step = judge(contest,
                          {.found = unpacked(contest, table.contested.get()),
                           .returned = {table.returned[0].get(), table.returned[1].get()},
                           .gave_up = ran.stopped && operation == Atomic::compare_and_swap},
                          {format("gpu{}", GetParam().destination()), format("gpu{}", GetParam().source())});
        if (!ran.at_once) step.detail += "; the two kernels did not run at once";
        add_step(std::move(step));
    }

  private:
    static TwoKernels::Launch side(std::uint64_t number, Contest contest, Table& table) {
        contest.side = number;
        contest.returned = table.returned[number].data();
        return [contest, gpu = table.gpus[number]](cudaStream_t stream, const kernels::Meeting& meeting) {
            return launch_without_waiting(gpu, stream, kernels::contend, contest.count * contest.rounds,
                                          contest, meeting);
        };
    }
};

TEST_P(Atomics, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::ask, [&] {
        need({cudaDevP2PAttrNativeAtomicSupported, "native atomics"}, ends().source, ends().destination);
        Table table(ends());
        for (const std::uint32_t bits : {32, 64}) {
            for (const Atomic operation :
                 {Atomic::add, Atomic::compare_and_swap, Atomic::exchange, Atomic::bit_or, Atomic::bit_and})
                contend(table, operation, bits);
        }
        if (record().outcome == Outcome::delivered)
            conclude(Outcome::delivered,
                     format("{} atomic operations on the same words by both GPUs: every update was "
                            "done exactly once",
                            record().steps.size()));
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Atomics, Delivers,
                         {.number = 55,
                          .title = "Atomics of A on B's memory, with B's own",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
