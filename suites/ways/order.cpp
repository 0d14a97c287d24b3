// Order: what one GPU does before a fence or a release, the other sees before what comes after it. Kernels of both
// GPUs run at the same time and show it slot by slot: messages (data, then a flag that says it is there) in either
// memory and at different distances, and stores and loads that cross. All-reduces, queues and barriers over a peer's
// memory stand on this, and a flag that overtakes its data corrupts them without a word.
#include "fixtures/launch.hpp"
#include "fixtures/litmus_counts.hpp"
#include "fixtures/two_kernels.hpp"
#include "fixtures/way_check.hpp"
#include "fixtures/word_array.hpp"
#include "session/format.hpp"

namespace peerproof {
using kernels::Litmus;
using kernels::Shape;

class Order : public WayCheck {
  protected:
    // A simulated GPU does all slots in one thread, and gives its processor away where it waits for the other.
    static std::uint64_t message_slots() { return context().plan.simulated ? 1024 : 8192; }
    static std::uint64_t slots_in_step() { return context().plan.simulated ? 128 : 8192; }
    static constexpr std::uint64_t threads = 256;
    static constexpr std::uint64_t line = 128 / 8, far_apart = (std::uint64_t{4} << 20) / 8;  // words
    static constexpr std::uint64_t ticks_to_meet = 2'000'000'000;                             // 1 s or so

    // Where the locations of slot 0 lie, and how far it is to those of the next.
    struct Distance {
        const char* name;
        std::uint64_t y, stride;
    };
    static constexpr Distance distances[] = {
        {"same line", 1, line}, {"next line", line, 2 * line}, {"far pages", far_apart + line, line}};

    struct Location {
        std::uint64_t* slot_0;
        int ordinal;  // of the owner
    };
    struct Table {
        explicit Table(const Ends& ends)
            : gpus{ends.source, ends.destination},
              memory{OwnedMemory(ends.source, words()), OwnedMemory(ends.destination, words())},
              seen{WordArray(ends.source, message_slots() + behind),
                   WordArray(ends.destination, message_slots() + behind)},
              steps{WordArray(ends.source, threads * kernels::step_words),
                    WordArray(ends.destination, threads * kernels::step_words)},
              two(ends.source, ends.destination, ticks_to_meet) {
            for (const int gpu : gpus) load_kernel(gpu, kernels::litmus);
        }
        static constexpr std::uint64_t behind = 2;  // words: kernels/litmus.hpp
        static std::uint64_t words() { return far_apart + 2 * line * message_slots(); }
        Location at(std::size_t side, std::uint64_t word) const {
            return {memory[side].at(word), gpus[side]};
        }
        std::array<int, 2> gpus;  // side 0 is the source
        std::array<OwnedMemory, 2> memory;
        std::array<WordArray, 2> seen, steps;
        TwoKernels two;
    };
    struct Trial {
        std::string name;
        Shape shape;
        bool fences, in_step;
        Location x, y;
        std::uint64_t stride, slots;
    };

    // From the source to the destination: into the reader's memory, or out of the writer's.
    void pass_messages(Table& table) {
        for (const bool push : {true, false}) {
            for (const Distance& distance : distances) {
                for (const bool fences : {true, false}) {
                    const std::size_t where = push ? 1 : 0;
                    attempt(table, {.name = format("message passing, {}, {}, {}", push ? "push" : "pull",
                                                   distance.name, fences ? "fence" : "release, in step"),
                                    .shape = Shape::message_passing,
                                    .fences = fences,
                                    .in_step = !fences,
                                    .x = table.at(where, 0),
                                    .y = table.at(where, distance.y),
                                    .stride = distance.stride,
                                    .slots = fences ? message_slots() : slots_in_step()});
                }
            }
        }
    }

    // Each side stores into its own memory and loads the peer's, or the other way round.
    void cross(Table& table, Shape shape, const char* name) {
        for (const bool own : {true, false}) {
            const bool x_is_stored_by_source = shape == Shape::store_buffering;
            const std::size_t x_is_of = own == x_is_stored_by_source ? 0 : 1;
            attempt(table, {.name = format("{}, {}", name, own ? "stores own" : "stores to the peer"),
                            .shape = shape,
                            .fences = true,
                            .in_step = true,
                            .x = table.at(x_is_of, 0),
                            .y = table.at(1 - x_is_of, 0),
                            .stride = line,
                            .slots = slots_in_step()});
        }
    }

  private:
    std::string name_of_side(std::size_t side) const { return format("gpu{}", GetParam().gpus.at(side)); }

    // The stamps of x and y are of steps of their own, and each trial's of a place of its own.
    std::uint64_t new_stamp(int location) const { return stamp(location, Role::value).bits() + trial_; }
    std::uint64_t old_stamp(int location) const { return stamp(location, Role::poison).bits() + trial_; }

    static void set(const Location& location, const Trial& trial, std::uint64_t value) {
        const Status set = launch_on(location.ordinal, kernels::set_slots, trial.slots, location.slot_0,
                                     trial.stride, trial.slots, value);
        if (!set.ok()) throw NotSetUp(set, "setting the slots in the GPU's own memory");
    }

    // How many slots do not hold the new value at the end, as their owner sees it.
    std::uint64_t lost(const Location& location, const Trial& trial, std::uint64_t value) const {
        WordArray own(location.ordinal, trial.slots);
        const Status looked = launch_on(location.ordinal, kernels::get_slots, trial.slots, own.data(),
                                        location.slot_0, trial.stride, trial.slots);
        if (!looked.ok()) throw NotSetUp(looked, "looking at the slots in the GPU's own memory");
        const std::vector<std::uint64_t> held = own.get();
        std::uint64_t missing = 0;
        for (std::uint64_t slot = 0; slot < trial.slots; ++slot)
            missing += held[slot] != kernels::word_of(value, slot) ? 1 : 0;
        return missing;
    }

    TwoKernels::Launch launch(std::size_t side, const Trial& trial, Table& table) const {
        const Litmus run{.shape = trial.shape,
                         .fences = trial.fences ? 1u : 0u,
                         .in_step = trial.in_step ? 1u : 0u,
                         .side = side,
                         .x = trial.x.slot_0,
                         .y = trial.y.slot_0,
                         .stride = trial.stride,
                         .slots = trial.slots,
                         .new_x = new_stamp(1),
                         .new_y = new_stamp(2),
                         .seen = table.seen[side].data(),
                         .own_steps = table.steps[side].data(),
                         .peers_steps = table.steps[1 - side].data()};
        return [run, gpu = table.gpus[side]](cudaStream_t stream, const kernels::Meeting& meeting) {
            return launch_without_waiting(gpu, stream, kernels::litmus, threads, run, meeting);
        };
    }

    void attempt(Table& table, const Trial& trial) {
        if (!can_go_on() || is_late_) return;
        ++trial_;
        set(trial.x, trial, old_stamp(1));
        set(trial.y, trial, old_stamp(2));
        for (std::size_t side = 0; side < 2; ++side) {
            table.seen[side].set(std::vector<std::uint64_t>(table.seen[side].count()));
            table.steps[side].set(std::vector<std::uint64_t>(table.steps[side].count()));
        }
        const TwoKernels::Ran ran =
            table.two.run(patience(), launch(0, trial, table), launch(1, trial, table));
        if (!ran.status.ok()) {
            Step step = failed_step(ran.status, "both kernels");
            step.name = trial.name;
            return add_step(std::move(step));
        }
        std::uint64_t in_vain = 0;
        const auto seen = [&](std::size_t side) {
            std::vector<std::uint64_t> slots = table.seen[side].get();
            in_vain += slots.at(trial.slots + 1);
            slots.resize(trial.slots);
            return slots;
        };
        // Side 0 loads y, side 1 x, but where loads come first.
        const int loaded_by_0 = trial.shape == Shape::load_buffering ? 1 : 2;
        const LitmusCounts counts =
            count(trial.shape, {{{seen(0), new_stamp(loaded_by_0), old_stamp(loaded_by_0)},
                                 {seen(1), new_stamp(3 - loaded_by_0), old_stamp(3 - loaded_by_0)}}});
        Step step =
            judge(counts, {.slots = trial.slots,
                           .slot_bytes = 8 * trial.stride,
                           .at_once = ran.at_once,
                           .stopped = ran.stopped,
                           .in_step = trial.in_step,
                           .in_vain = in_vain,
                           .lost = {lost(trial.x, trial, new_stamp(1)), lost(trial.y, trial, new_stamp(2))},
                           .sides = {name_of_side(0), name_of_side(1)}});
        step.name = trial.name;
        is_late_ = step.diagnosis == "late";
        add_step(std::move(step));
    }

    std::uint64_t trial_ = 0;
    bool is_late_ = false;  // what follows would wait for stores that do not come
};

TEST_P(Order, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::ask, [&] {
        Table table(ends());
        pass_messages(table);
        cross(table, Shape::store_buffering, "store buffering");
        cross(table, Shape::load_buffering, "load buffering");
        if (record().outcome != Outcome::delivered) return;
        std::uint64_t slots = 0;
        for (const Step& step : record().steps) slots += step.bytes / 16;
        conclude(Outcome::delivered,
                 format("message passing, store buffering and load buffering, {} slots: no "
                        "outcome that may not be",
                        slots));
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Order, Delivers,
                         {.number = 56,
                          .title = "Order of A's stores as B sees them",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
