// The processes behind the GPUs: they work at the same time, keep nothing open, and end with the one that
// started them.
#include <csignal>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

// GPU 0's loads from GPU 1 never end.
const std::string hanging = two_gpus("[[pair]]\nfrom = 1\nto = 0\nload = \"hang\"");
const std::vector<std::string> hanging_kernel{"malloc a 4096", "enable 1", "set 1",
                                              "malloc b 4096", "set 0",    "load a b 8"};

std::vector<std::string> after(std::vector<std::string> steps, const std::vector<std::string>& more) {
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
}

TEST(Processes, TwoGpusWorkAtTheSameTime) {
    // While GPU 0 is busy for ever, a kernel on GPU 1 is launched, ends and is looked at.
    EXPECT_EQ(probe(hanging,
                    after(hanging_kernel, {"query", "set 1", "fill b 7", "sync", "query", "set 0", "query"}))
                  .answers,
              Answers({"0", "0", "0", "0", "0", "0", "600", "0", "0", "0", "0", "0", "600"}));
}

TEST(Processes, NoneIsStartedForAListing) {
    Running listing("open-x3", {"count", "properties 0", "set 0", "malloc a 8", "wait_for_kill"});
    while (listing.line() != "ready") {}
    EXPECT_TRUE(listing.children().empty());
}

TEST(Processes, KillingTheCallerLeavesNothingBehind) {
    Running caller(hanging, after(hanging_kernel, {"set 1", "fill b 7", "sync", "wait_for_kill"}));
    while (caller.line() != "ready") {}
    const std::vector<pid_t> gpus = caller.children();
    ASSERT_EQ(gpus.size(), 2u);
    for (const pid_t each : gpus) EXPECT_TRUE(is_running(each));
    caller.kill_9();
    EXPECT_TRUE(caller.output_ends(2000)) << "a GPU process holds the caller's pipes open";
    EXPECT_TRUE(caller.reaped(2000));
    for (int tries = 0; tries < 200 && (is_running(gpus[0]) || is_running(gpus[1])); ++tries)
        ::usleep(10'000);
    for (const pid_t each : gpus) EXPECT_FALSE(is_running(each));
}

TEST(Processes, AProbeThatEndsLeavesNothingBehind) {
    Running caller("open-x2", {"malloc a 4096", "fill a 7", "sync"});
    while (!caller.line().empty()) {}
    EXPECT_TRUE(caller.output_ends(2000));
    EXPECT_TRUE(caller.reaped(2000));
}

TEST(Processes, AnUnkillableOneIsNotGivenBackToItsParent) {
    Running caller("unkillable-x2",
                   {"malloc a 4096", "enable 1", "set 1", "malloc b 4096", "enable 0", "load b a 8", "sync"});
    for (int i = 0; i < 6; ++i) caller.line();
    ::usleep(300'000);  // until the helper holds it
    caller.kill_9();
    EXPECT_FALSE(caller.reaped(500));
    EXPECT_TRUE(caller.output_ends(1000)) << "the helper holds the caller's pipes open";
}

TEST(Processes, ADriverMayTakeTheCallerDown) {
    EXPECT_EQ(probe("crash-x2",
                    {"malloc a 4096", "enable 1", "set 1", "malloc b 4096", "enable 0", "load b a 8", "sync"})
                  .signal,
              SIGSEGV);
}

TEST(Processes, TheHostCannotDereferenceMemoryOfAGpu) {
    const Ran ran = probe("open-x2", {"malloc a 4096", "fill a 7", "sync", "dereference a"});
    EXPECT_TRUE(ran.signal == SIGSEGV || ran.code != 0) << "the address sanitizer reports it and exits";
    EXPECT_EQ(ran.answers.size(), 3u);
}

TEST(Processes, PinnedHostMemoryIsSharedWithKernels) {
    EXPECT_EQ(probe("open-x2", {"hostalloc h 4096", "fill h 7", "sync", "dereference h", "check h 7 9",
                                "kind h", "malloc a 4096", "copy a h 4096", "check a 7 9", "kind a",
                                "freehost h", "ordinary o 8", "kind o"})
                  .answers,
              Answers({"0", "0", "0", "7", "0 0 0 0 0 0 512", "0 1 0", "0", "0", "0 0 0 0 0 0 512", "0 2 0",
                       "0", "0", "0 0 -2"}));
}

TEST(Processes, StreamsAndEventsKeepTheirOrderAcrossGpus) {
    EXPECT_EQ(
        probe("open-x2", {"malloc a 4096", "event e", "event f", "record e", "fill a 7", "record f", "set 1",
                          "malloc b 4096", "enable 0", "await f", "load b a 4096", "check b 7 9", "stream s",
                          "query s", "elapsed e f", "set_bytes b 0", "word b"})
            .answers,
        Answers({"0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0 0 0 0 0 0 512", "0", "0",
                 "0 plausible", "0", "0 0"}));
}

TEST(Processes, AnUnmodelledCallAbortsByName) {
    const Ran ran = probe("open-x2", {"count", "unmodelled"});
    EXPECT_EQ(ran.signal, SIGABRT);
    EXPECT_EQ(ran.answers, Answers({"0 2"}));
    EXPECT_NE(
        ran.errors.find("peerproof simulated bench: cudaMallocManaged is not modelled; add it in simulator/"),
        std::string::npos)
        << ran.errors;
}

TEST(Processes, KernelsMayBeReplaced) {
    EXPECT_EQ(probe("suite-always-equal-x2", {"malloc a 4096", "fill a 7", "check a 9 5"}).answers.back(),
              "0 0 0 0 0 0 512");
    EXPECT_EQ(probe("suite-crashes-x2", {"malloc a 4096", "check a 9 5"}).signal, SIGSEGV);
    EXPECT_EQ(probe(two_gpus("[[kernel]]\nname = \"fill\"\ndoes = \"nothing\""),
                    {"malloc a 8", "fill a 7", "word a"})
                  .answers.back(),
              "0 0");
    EXPECT_EQ(probe(two_gpus("[[kernel]]\nname = \"fill\"\ngpu = 0\ndoes = \"fault\""),
                    {"malloc a 8", "fill a 7", "sync"})
                  .answers.back(),
              "700");
}

}  // namespace
}  // namespace peerproof::simulated
