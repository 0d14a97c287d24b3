// [[when]]: what a path does while others are in use, and once a session has carried so much, or had so many
// processes.
#include <filesystem>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

// a on GPU 0 holds 7, b on GPU 1 holds 9, c on GPU 2 holds 5; all have enabled all.
const std::vector<std::string> three_buffers{
    "malloc a 4096", "fill a 7", "enable 1", "enable 2", "sync", "set 1",
    "malloc b 4096", "fill b 9", "enable 0", "enable 2", "sync", "set 2",
    "malloc c 4096", "fill c 5", "enable 0", "enable 1", "sync"};

std::string last_on(const std::string& bench, const std::vector<std::string>& steps,
                    const Environment& environment = {}) {
    std::vector<std::string> all = three_buffers;
    all.insert(all.end(), steps.begin(), steps.end());
    const Ran ran = probe(bench, all, environment);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return ran.answers.empty() ? "" : ran.answers.back();
}

std::string when(const std::string& keys) { return "[[when]]\n" + keys + "\n"; }

// A session of several processes: the folder that they share.
struct Session {
    std::filesystem::path folder;
    Session() {
        char name[] = "/tmp/peerproof-session-XXXXXX";
        folder = ::mkdtemp(name);
    }
    ~Session() { std::filesystem::remove_all(folder); }
    Environment environment() const { return {{"PEERPROOF_SIMULATED_STATE", folder.string()}}; }
};

// GPU 0's loads from GPU 1 never end: while another process of the session does one, that path is active. (In the
// same process a copy that waits for all GPUs could not be looked at.) Another waits behind it: of two that a killed
// process leaves in flight, the next operation takes the place of one.
const std::string never_ends = "[[pair]]\nfrom = 1\nto = 0\nload = \"hang\"\n";
class Busy {
  public:
    Busy(const std::string& bench, const Session& session) : other_(bench, steps(), session.environment()) {
        while (other_.line() != "ready") {}
    }
    void kill_9() {
        other_.kill_9();
        EXPECT_TRUE(other_.reaped(2000));
    }

  private:
    static std::vector<std::string> steps() {
        std::vector<std::string> all = three_buffers;
        all.insert(all.end(), {"set 0", "load a b 8", "load a b 8", "wait_for_kill"});
        return all;
    }
    Running other_;
};
std::string last_while_busy(const std::string& bench, const std::vector<std::string>& steps) {
    const Session session;
    const Busy other(bench, session);
    return last_on(bench, steps, session.environment());
}

const std::vector<std::string> load_c{"set 2", "load c a 4096", "word c"};
const std::vector<std::string> copy_c{"set 2", "peer c 2 a 0 4096", "word c"};
const std::string zeros = "0 0", seven = "0 0x7";

TEST(State, APathIsWrongWhileSoManyAreActive) {
    const std::string two =
        three_gpus(never_ends + when("active_pairs = 2\nload = \"zeros\"\ncopy = \"zeros\""));
    for (const auto& act : {load_c, copy_c}) {
        EXPECT_EQ(last_on(two, act), seven);
        EXPECT_EQ(last_while_busy(two, act), zeros);
    }
    const std::string three = three_gpus(never_ends + when("active_pairs = 3\nload = \"zeros\""));
    EXPECT_EQ(last_while_busy(three, load_c), seven) << "two are not three";
}

TEST(State, WhatIsDoneIsNotActive) {
    const std::string two = three_gpus(when("active_pairs = 2\nload = \"zeros\"\ncopy = \"zeros\""));
    EXPECT_EQ(last_on(two, {"set 1", "load b a 8", "sync", "set 2", "load c a 4096", "word c"}), seven);
    EXPECT_EQ(last_on(two, {"peer b 1 a 0 8", "set 2", "load c a 4096", "word c"}), seven);
}

// GPU 0 stores into GPU 1 what it loads from GPU 2.
TEST(State, AKernelMakesEveryPathActiveThatItTouches) {
    const std::string two = three_gpus(when("active_pairs = 2\nfrom = 0\nto = 1\nstore = \"dropped\""));
    const std::vector<std::string> through{"set 0", "store b c 4096", "sync", "set 1", "word b"};
    EXPECT_EQ(last_on(two, through), "0 0x9");
    EXPECT_EQ(last_on(two, {"set 0", "store b a 4096", "sync", "set 1", "word b"}), seven);
}

TEST(State, WhatAKilledProcessWasDoingIsNotActive) {
    const Session session;
    const std::string two = three_gpus(never_ends + when("active_pairs = 2\nload = \"zeros\""));
    Busy other(two, session);
    EXPECT_EQ(last_on(two, load_c, session.environment()), zeros);
    other.kill_9();
    EXPECT_EQ(last_on(two, load_c, session.environment()), seven);
}

TEST(State, BidirectionalByWhatGoesTheOtherWay) {
    const auto bench = [](const std::string& what) {
        return three_gpus(never_ends + when("bidirectional_by = \"" + what + "\"\ncopy = \"zeros\""));
    };
    const std::vector<std::string> against{"set 1", "peer b 1 a 0 4096", "word b"};
    EXPECT_EQ(last_while_busy(bench("loads"), against), zeros);
    EXPECT_EQ(last_while_busy(bench("kernels"), against), zeros);
    EXPECT_EQ(last_while_busy(bench("stores"), against), seven);
    EXPECT_EQ(last_while_busy(bench("copies"), against), seven);
    EXPECT_EQ(last_on(bench("kernels"), against), seven) << "nothing goes the other way";
    EXPECT_EQ(last_while_busy(bench("kernels"), copy_c), seven) << "that is between other GPUs";
}

// GPU 0's memory into GPU 1 and GPU 2 at once, by kernels of GPU 0 or by theirs, held back until both are posted.
std::string mixed_up(const std::string& more, const std::vector<std::string>& flows) {
    std::vector<std::string> steps{"set 0", "malloc d 4096", "fill d 8", "sync", "shut h", "gate h"};
    steps.insert(steps.end(), flows.begin(), flows.end());
    steps.insert(steps.end(), {"open h", "sync", "set 1", "sync", "set 2", "sync", "word b 0", "word c 0"});
    std::vector<std::string> all = three_buffers;
    all.insert(all.end(), steps.begin(), steps.end());
    const Ran ran = probe(three_gpus("[[switch]]\n" + more + "[links]\nbehind = 0"), all);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    if (ran.answers.size() != all.size()) return "";
    return ran.answers[all.size() - 2] + ", " + ran.answers.back();
}

TEST(State, ASwitchMixesUpTwoFlowsOfOneGpu) {
    const std::vector<std::string> stores{"store b a 4096", "store c d 4096"};
    EXPECT_EQ(mixed_up("", stores), "0 0x7, 0 0x8");
    // The first is done before the second has begun: that one has the first's bytes.
    EXPECT_EQ(mixed_up("mixes_up = true\n", stores), "0 0x7, 0 0x7");
    EXPECT_EQ(mixed_up("mixes_up = true\n", {"store b a 4096", "store b d 4096"}), "0 0x8, 0 0x5")
        << "both go into one GPU";
    EXPECT_EQ(mixed_up("mixes_up = true\n", {"store b a 4096"}), "0 0x7, 0 0x5");
}

TEST(State, BytesOfAllPathsTogether) {
    const std::string bench =
        three_gpus(when("from = 0\nto = 2\nafter_total_bytes = 4096\nload = \"zeros\""));
    EXPECT_EQ(last_on(bench, load_c), seven);
    EXPECT_EQ(last_on(bench, {"peer b 1 a 0 4088", "set 2", "load c a 4096", "word c"}), seven);
    EXPECT_EQ(last_on(bench, {"peer b 1 a 0 4096", "set 2", "load c a 4096", "word c"}), zeros);
}

TEST(State, EachByteMayCountAsMany) {
    const std::string bench =
        three_gpus("[machine]\ncounts_bytes_as = 1000\n" +
                   when("from = 0\nto = 2\nafter_total_bytes = 4096000\nload = \"zeros\""));
    EXPECT_EQ(last_on(bench, {"peer b 1 a 0 4088", "set 2", "load c a 4096", "word c"}), seven);
    EXPECT_EQ(last_on(bench, {"peer b 1 a 0 4096", "set 2", "load c a 4096", "word c"}), zeros);
}

TEST(State, TheThirdProcessThatLoads) {
    const Session session;
    const std::string bench = three_gpus(when("first_process = 3\nload = \"zeros\"\nstore = \"dropped\""));
    const auto load = [&] { return last_on(bench, load_c, session.environment()); };
    EXPECT_EQ(load(), seven);
    // Stores and copies over that path, and loads over others, count for themselves.
    for (const char* act : {"store c a 8", "peer c 2 a 0 8", "load a c 8"})
        last_on(bench, {"set 0", act, "sync"}, session.environment());
    EXPECT_EQ(load(), seven);
    EXPECT_EQ(load(), zeros);
}

}  // namespace
}  // namespace peerproof::simulated
