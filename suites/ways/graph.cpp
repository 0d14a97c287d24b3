// Graph: a kernel of the destination that loads, a kernel of the source that stores and a copy are captured once, on
// streams of both GPUs, and replayed 200 times. The values change from replay to replay through memory, and the owner
// compares every word within each. Frameworks replay what they captured, and a driver may do then what it does not do
// for the same calls made one by one.
#include "fixtures/launch.hpp"
#include "fixtures/replays.hpp"
#include "fixtures/way_check.hpp"
#include "fixtures/word_array.hpp"
#include "kernels/load_peer.hpp"
#include "kernels/store_peer.hpp"
#include "session/format.hpp"

namespace peerproof {

class Graph : public WayCheck {
  protected:
    static constexpr std::uint64_t replays = 200, of_a_batch = 50, rounds = replays + 1;
    static constexpr std::uint64_t act_words = 512;  // 4 KiB
    static constexpr const char* acts[] = {"load", "store", "copy"};
    static constexpr std::uint64_t act_count = std::size(acts), all_words = act_count * act_words;
    static constexpr std::uint64_t look_words = sizeof(kernels::RoundLook) / 8;

    // Streams and events of one GPU.
    class Line {
      public:
        explicit Line(int ordinal) : ordinal_(ordinal) {
            PEERPROOF_NEED(cudaSetDevice(ordinal), "choosing the GPU");
            PEERPROOF_NEED(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
            for (cudaEvent_t& event : events_)
                PEERPROOF_NEED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
        }
        ~Line() {
            (void)cudaSetDevice(ordinal_);
            for (const cudaEvent_t event : events_) (void)cudaEventDestroy(event);
            (void)cudaStreamDestroy(stream_);
            (void)cudaGetLastError();
        }
        Line(const Line&) = delete;
        Line& operator=(const Line&) = delete;

        cudaStream_t stream() const { return stream_; }
        template <class... Params>
        void launch(Status& status, void (*kernel)(Params...), std::uint64_t work,
                    std::type_identity_t<Params>... arguments) const {
            if (status.ok()) status = launch_without_waiting(ordinal_, stream_, kernel, work, arguments...);
        }
        // What is queued on the other line from here on comes after what is on this one.
        void before(Status& status, const Line& other, std::size_t event) const {
            if (status.ok()) status = PEERPROOF_CALL(cudaSetDevice(ordinal_));
            if (status.ok()) status = PEERPROOF_CALL(cudaEventRecord(events_[event], stream_));
            if (status.ok()) status = PEERPROOF_CALL(cudaStreamWaitEvent(other.stream_, events_[event], 0));
        }

      private:
        int ordinal_;
        cudaStream_t stream_ = nullptr;
        std::array<cudaEvent_t, 3> events_{};
    };

    struct Table {
        explicit Table(const Ends& ends)
            : source(ends.source),
              destination(ends.destination),
              from(ends.source, all_words),
              to(ends.destination, all_words),
              source_round(ends.source, 1),
              destination_round(ends.destination, 1),
              looks(ends.destination, rounds * act_count * look_words) {
            std::vector<std::uint64_t> nothing_seen(looks.count());
            for (std::size_t i = 3; i < nothing_seen.size(); i += look_words)
                nothing_seen[i] = ~std::uint64_t{0};
            looks.set(nothing_seen);
            source_round.set({~std::uint64_t{0}});  // the first is round 0
            destination_round.set({~std::uint64_t{0}});
        }
        Line source, destination;
        WordArray from, to, source_round, destination_round, looks;
    };

    // One round, on the streams of both: it begins and ends on that of the source.
    Status queue(const Table& table) const {
        const std::uint64_t value = stamp(1, Role::value).bits(), poison = stamp(1, Role::poison).bits();
        const Line &source = table.source, &destination = table.destination;
        std::uint64_t *from = table.from.data(), *to = table.to.data();
        Status status;
        source.before(status, destination, 0);
        source.launch(status, kernels::next_round, 1, table.source_round.data());
        source.launch(status, kernels::fill_round, all_words, from, all_words, value,
                      table.source_round.data());
        destination.launch(status, kernels::next_round, 1, table.destination_round.data());
        destination.launch(status, kernels::fill_round, all_words, to, all_words, poison,
                           table.destination_round.data());
        source.before(status, destination, 1);
        destination.before(status, source, 0);
        destination.launch(status, kernels::load_peer, act_words, to, from, act_words, nullptr);
        source.launch(status, kernels::store_peer, act_words, to + act_words, from + act_words, act_words,
                      nullptr);
        if (status.ok())
            status = PEERPROOF_CALL(cudaMemcpyAsync(to + 2 * act_words, from + 2 * act_words, act_words * 8,
                                                    cudaMemcpyDefault, source.stream()));
        source.before(status, destination, 2);
        destination.launch(status, kernels::compare_round, all_words, to, all_words, act_count, value, poison,
                           table.destination_round.data(), rounds,
                           reinterpret_cast<kernels::RoundLook*>(table.looks.data()));
        destination.before(status, source, 1);
        return status;
    }

    // True where that succeeded. What the driver does not do at all is no finding.
    bool holds(const Status& status, const char* what) {
        if (status.ok()) return true;
        if (status.code() == cudaErrorNotSupported)
            throw NotApplicable(format("{}: {} answered {}", what, status.call(), status.error()));
        Step step = failed_step(status, "load, store and copy");
        step.name = what;
        add_step(std::move(step));
        return false;
    }

    bool replay(const Table& table) {
        if (!holds(queue(table), "one by one") ||
            !holds(PEERPROOF_CALL(cudaStreamSynchronize(table.source.stream())), "one by one"))
            return false;
        const cudaStream_t stream = table.source.stream();
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        if (!holds(PEERPROOF_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)),
                   "capture"))
            return false;
        const Status queued = queue(table);
        const Status ended = PEERPROOF_CALL(cudaStreamEndCapture(stream, &graph));
        if (!holds(queued, "capture") || !holds(ended, "capture") ||
            !holds(PEERPROOF_CALL(cudaGraphInstantiate(&executable, graph, 0)), "instantiate"))
            return false;
        for (std::uint64_t done = 0; done < replays; done += of_a_batch) {
            say_at(format("replays {} to {}", done + 1, done + of_a_batch));
            Status status;
            for (std::uint64_t i = 0; i < of_a_batch && status.ok(); ++i)
                status = PEERPROOF_CALL(cudaGraphLaunch(executable, stream));
            if (status.ok()) status = PEERPROOF_CALL(cudaStreamSynchronize(stream));
            if (!holds(status, "replay")) return false;
        }
        (void)cudaGraphExecDestroy(executable);
        (void)cudaGraphDestroy(graph);
        return true;
    }

    void judge(const Table& table) {
        const std::vector<std::uint64_t> words = table.looks.get();
        for (std::size_t act = 0; act < act_count; ++act) {
            std::vector<kernels::RoundLook> looks;
            for (std::uint64_t round = 0; round < rounds; ++round) {
                const std::uint64_t* at = &words[(round * act_count + act) * look_words];
                looks.push_back({at[0], at[1], at[2], at[3], at[4]});
            }
            Step step = judge_rounds(looks, {.stamp = stamp(1, Role::value).bits(),
                                             .poison = stamp(1, Role::poison).bits(),
                                             .count = all_words,
                                             .of_act = act_words});
            step.name = acts[act];
            add_step(std::move(step));
        }
    }
};

TEST_P(Graph, Delivers) {
    EXPECT_TRUE(reach(PeerAccess::ask, [&] {
        const Table table(ends());
        if (!replay(table)) return;
        judge(table);
        if (record().outcome == Outcome::delivered)
            conclude(Outcome::delivered,
                     format("load, store and copy, captured once and replayed {} times: the "
                            "owner found the values of each",
                            replays));
    }));
}

PEERPROOF_CLAIM_PER_PAIR(Way, Graph, Delivers,
                         {.number = 54,
                          .title = "Load, store and copy replayed by a graph",
                          .open = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
                          .locked = {Outcome::illegal_address, Outcome::refused, Outcome::not_applicable},
                          .failure = Failure::makes_suspect});

}  // namespace peerproof
