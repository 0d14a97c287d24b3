// Graphs over two GPUs: what a launch does, in which order, and what [[way]] makes of their commands.
#include "tests/simulator/on_streams.hpp"

namespace peerproof::simulated {
namespace {

// Answers of "check", of 512 words: all are right; none is, and so many are still the poison, or zeros.
const std::string right = "0 0 0 0 0 0 512", intact = "0 512 512", zeros = "0 512 0 512";

void expect_last(const std::string& bench, const Texts& steps, const std::string& begins) {
    const Answers all = answers_of(bench, steps);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().substr(0, begins.size()), begins) << testing::PrintToString(steps);
}

// The graph x of one act, on the stream that it is launched on.
Texts graph_of(const std::string& stream, const std::string& act) {
    return {"use " + stream, "begin " + stream, act, "end " + stream + " g", "instantiate x g"};
}
const Texts load_graph = graph_of("s1", "load b a 4096");                     // GPU 1 loads from GPU 0
const Texts store_graph = Texts{"set 0"} + graph_of("s0", "store b a 4096");  // GPU 0 stores into GPU 1
const Texts copy_graph = graph_of("s1", "peer_async b 1 a 0 4096");

// a gets this stamp and b poison, the graph is launched, and b is looked at.
Texts replay(const std::string& stamp) {
    return {"set 0", "use",    "fill a " + stamp, "sync",           "set 1", "fill b 9",
            "sync",  "use s1", "launch x",        "sync_stream s1", "use",   "check b " + stamp + " 9"};
}

// What the graph's launches, each with another stamp, leave in b.
Answers replays(const std::string& bench, const Texts& graph, int count) {
    Texts steps = graph;
    for (int i = 0; i < count; ++i) steps = steps + replay(std::to_string(11 + i));
    const Answers all = answers_of(bench, steps);
    Answers seen;
    for (std::size_t i = graph.size() + replay("7").size(); i <= all.size(); i += replay("7").size()) {
        const std::string& found = all[i - 1];
        seen.push_back(found == right              ? "right"
                       : found.starts_with(intact) ? "intact"
                       : found.starts_with(zeros)  ? "zeros"
                                                   : "wrong");
    }
    return seen;
}

std::string way(const std::string& rest) { return two_gpus("[[way]]\nway = \"graph\"\n" + rest); }

TEST(Graphs, WhatIsCapturedIsDoneByEachLaunchAndNotBefore) {
    for (const Texts& graph : {load_graph, store_graph, copy_graph}) {
        expect_last("open-x2", graph + Texts{"set 1", "use", "check b 7 9"}, intact);
        EXPECT_EQ(replays("open-x2", graph, 3), Answers({"right", "right", "right"}));
    }
}

TEST(Graphs, FillsAndCopiesToPinnedMemoryAreCaptured) {
    expect_last(
        "open-x2",
        {"use s1", "begin s1", "set_async b 1", "end s1 g", "instantiate x g", "launch x", "use", "word b"},
        "0 0x101010101010101");
    expect_last(
        "open-x2",
        {"hostalloc h 4096", "use s1", "begin s1", "copy_async h b 4096", "copy_async a h 4096", "end s1 g",
         "nodes g", "instantiate x g", "launch x", "use", "sync_stream s1", "set 0", "check a 9 7"},
        right);
}

// A capture of GPU 0 that forks to GPU 1 and is joined by it: `first` on GPU 0, then `forked` on GPU 1, and `beside` on
// GPU 0 meanwhile.
Texts captured_fork(const Texts& first, const Texts& forked, const Texts& beside = {}) {
    return Texts{"set 0", "use s0", "begin s0"} + first + Texts{"record e0"} + beside +
           Texts{"set 1", "use s1", "await e0"} + forked +
           Texts{"record e1", "set 0", "use s0", "await e1", "end s0 g"};
}

// A large store on GPU 0, then GPU 1 passes on what arrived: in that order only because the second waits.
TEST(Graphs, WhatIsForkedToAnotherGpuWaitsForWhatCameBeforeIt) {
    const std::string large = " 67108864";
    const Texts memory{"set 0",
                       "malloc from" + large,
                       "fill from 7",
                       "set 1",
                       "malloc to" + large,
                       "malloc end" + large,
                       "fill to 9",
                       "fill end 9",
                       "sync",
                       "set 0",
                       "sync"};
    const Texts fork = captured_fork({"store to from" + large}, {"load end to" + large}) +
                       Texts{"nodes g", "instantiate x g"};
    expect_last("open-x2", memory + fork, "0");
    EXPECT_EQ(answers_of("open-x2", memory + fork)[memory.size() + 14], "0 2");
    const std::string all_right = "0 0 0 0 0 0 8388608";
    // The stream that it is launched on waits for both GPUs.
    const Texts launched{"launch x", "sync_stream s0", "set 1", "use", "check end 7 9"};
    expect_last("open-x2", memory + fork + launched, all_right);
    // And the graph for what its stream was given before: the stamp that it moves.
    const Texts again{"set 0",          "use s0", "fill from 5", "launch x",
                      "sync_stream s0", "set 1",  "use",         "check end 5 7"};
    expect_last("open-x2", memory + fork + launched + again, all_right);
    // Launched on the stream of the other GPU, the same.
    const Texts elsewhere{"set 1", "use s1", "launch x", "sync_stream s1", "use", "check end 7 9"};
    expect_last("open-x2", memory + fork + elsewhere, all_right);
}

TEST(Graphs, AGraphBeginsWhenItsStreamHasComeToIt) {
    const std::string large = " 67108864";
    // It is launched on GPU 0, where a fill is still going on, and all that it does is a load by GPU 1.
    expect_last(
        "open-x2",
        Texts{"malloc to" + large, "fill to 9", "sync", "set 0", "malloc from" + large, "fill from 7"} +
            captured_fork({}, {"load to from" + large}) +
            Texts{"instantiate x g", "sync", "fill from 5", "launch x", "sync_stream s0", "set 1", "use",
                  "check to 5 9"},
        "0 0 0 0 0 0 8388608");
}

TEST(Graphs, TheStreamGoesOnWhenAllOfTheGraphIsDone) {
    const std::string large = " 67108864";
    // GPU 1 stores within a graph that is launched on GPU 0, which then loads what was stored.
    expect_last(
        "open-x2",
        Texts{"malloc b" + large, "malloc c" + large, "fill c 3", "fill b 9", "sync", "set 0",
              "malloc d" + large} +
            captured_fork({}, {"store b c" + large}) +
            Texts{"instantiate x g", "launch x", "load d b" + large, "sync_stream s0", "use", "check d 3 9"},
        "0 0 0 0 0 0 8388608");
}

TEST(Graphs, KernelsOfTwoGpusInAGraphMayWaitForEachOther) {
    expect_last("open-x2",
                Texts{"hostalloc h 4096", "hostalloc i 4096"} +
                    captured_fork({}, {"ping_pong b a 50 0 i"}, {"ping_pong a b 50 1 h"}) +
                    Texts{"instantiate x g", "launch x", "sync_stream s0", "use", "word a"},
                "0 0x96");  // 100 + 50
}

TEST(Graphs, HandlesAreCountedNodesAndCanBeDestroyedOnce) {
    EXPECT_EQ(
        answers_of("open-x2", load_graph + Texts{"nodes g", "upload x", "destroy g", "destroy g", "nodes g",
                                                 "instantiate y g", "launch x", "sync_stream s1",
                                                 "destroy_executable x", "destroy_executable x", "launch x"}),
        Answers({"0", "0", "0", "0", "0", "0 1", "0", "0", "1", "1", "1", "0", "0", "0", "1", "1"}));
}

TEST(Graphs, OfTheirCommandsAPathMayDoSomethingElse) {
    EXPECT_EQ(replays(way("load = \"zeros\""), load_graph, 2), Answers({"zeros", "zeros"}));
    EXPECT_EQ(replays(way("load = \"zeros\""), store_graph, 1), Answers({"right"}));
    EXPECT_EQ(replays(way("load = \"zeros\""), copy_graph, 1), Answers({"right"}));
    EXPECT_EQ(replays(way("store = \"dropped\""), store_graph, 1), Answers({"intact"}));
    EXPECT_EQ(replays(way("copy = \"nothing\""), copy_graph, 1), Answers({"intact"}));
    EXPECT_EQ(replays(way("copy = \"nothing\"\nfrom = 1"), copy_graph, 1), Answers({"right"}));
    EXPECT_EQ(replays(way("copy = \"nothing\"\nto = 1"), copy_graph, 1), Answers({"intact"}));
    EXPECT_EQ(replays(way("load = \"zeros\"\nfrom = 1"), load_graph, 1), Answers({"right"}));
    EXPECT_EQ(replays(way("load = \"zeros\"\nto = 1"), load_graph, 1), Answers({"zeros"}));
}

TEST(Graphs, OutsideOfThemThePathIsAsItIs) {
    const std::string lies = way("load = \"zeros\"\nstore = \"dropped\"\ncopy = \"nothing\"");
    expect_last(lies, load_graph + replay("7") + Texts{"load b a 4096", "check b 7 9"}, right);
    expect_last(lies, {"load b a 4096", "check b 7 9"}, right);
    expect_last(lies, {"set 0", "store b a 4096", "sync", "set 1", "check b 7 9"}, right);
    expect_last(lies, {"peer_async b 1 a 0 4096", "check b 7 9"}, right);
}

TEST(Graphs, SomeLaunchesMayDoAsWrittenFirst) {
    EXPECT_EQ(replays(way("load = \"zeros\"\nafter = 2"), load_graph, 4),
              Answers({"right", "right", "zeros", "zeros"}));
    // Without a cudaFree in between, after which all pages are asked for anew.
    expect_last(way("load = \"zeros\"\nafter = 1"),
                load_graph + Texts{"launch x", "launch x", "sync_stream s1", "use", "check b 7 9"}, zeros);
    EXPECT_EQ(replays(way("copy = \"nothing\"\nafter = 1"), copy_graph, 3),
              Answers({"right", "intact", "intact"}));
}

TEST(Graphs, AStaleReplaySeesWhatTheFirstLaunchSaw) {
    for (const char* after : {"", "\nafter = 1"}) {
        EXPECT_EQ(replays(way(std::string("load = \"stale\"") + after), load_graph, 3),
                  *after == 0 ? Answers({"right", "wrong", "wrong"}) : Answers({"right", "right", "wrong"}));
    }
    EXPECT_EQ(replays(way("copy = \"stale\""), copy_graph, 3), Answers({"right", "wrong", "wrong"}));
    for (const auto& [key, graph] : {std::pair{"load", load_graph}, {"copy", copy_graph}})
        expect_last(way(key + std::string(" = \"stale\"")),
                    graph + replay("7") + replay("5") + Texts{"check b 7 9"}, right);
    // Another graph has a first launch of its own.
    expect_last(way("load = \"stale\""), load_graph + replay("7") + Texts{"instantiate x g"} + replay("5"),
                right);
}

TEST(Graphs, AReplayMayHang) {
    for (const auto& [rule, graph] : {std::pair{"load", load_graph}, {"copy", copy_graph}}) {
        Running hung(way(rule + std::string(" = \"hang\"")),
                     two_gpus_with_streams + graph + Texts{"launch x", "query s1", "wait_for_kill"});
        std::string line, before;
        while ((line = hung.line()) != "ready" && !line.empty()) before = line;
        EXPECT_EQ(before, "600") << rule;
    }
}

TEST(Graphs, CallsAreRefused) {
    const auto refused = [](const std::string& call, const std::string& more = "") {
        return answers_of(way("refuses = \"" + call + "\"\nerror = 801\n" + more),
                          load_graph + Texts{"upload x", "launch x", "launch x", "use", "check b 7 9"});
    };
    EXPECT_EQ(refused("cudaStreamBeginCapture")[1], "801");
    EXPECT_EQ(refused("cudaStreamEndCapture")[3], "801");
    EXPECT_EQ(refused("cudaGraphInstantiate")[4], "801");
    EXPECT_EQ(refused("cudaGraphUpload")[5], "801");
    EXPECT_EQ(refused("cudaGraphLaunch")[6], "801");
    EXPECT_EQ(refused("cudaGraphLaunch").back().substr(0, intact.size()), intact);
    const Answers later = refused("cudaGraphLaunch", "after = 1");
    EXPECT_EQ(later[6], "0");
    EXPECT_EQ(later[7], "801");
    EXPECT_EQ(later.back(), right);
}

}  // namespace
}  // namespace peerproof::simulated
