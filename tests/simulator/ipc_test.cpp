// CUDA IPC on the simulated bench: memory of one process in another.
#include <unistd.h>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

const std::string right = "0 0 0 0 0 0 512";

// A process that has memory on GPU 0, two pages with the stamp 7, and exported it; it says what it finds there
// once it is told to.
class Exporter {
  public:
    explicit Exporter(const std::string& bench, const std::string& get = "ipc_get a 2097152",
                      const std::vector<std::string>& more = {})
        : running_(bench, steps(get, more)) {
        const Answers answers = running_.lines_until("ready");
        handle = word(answers.at(answers.size() - 2), 1);
    }
    // What its own kernel finds in the first 4096 bytes: 5 stored by another, or its own 7.
    std::string finds() {
        running_.go_on();
        running_.line();
        return running_.line();
    }
    void end() {
        running_.kill_9();
        running_.reaped(2000);
    }
    std::string handle;

  private:
    static std::vector<std::string> steps(const std::string& get, const std::vector<std::string>& more) {
        std::vector<std::string> all{"count", "malloc a 4194304", "fill a 7", "sync"};
        all.insert(all.end(), more.begin(), more.end());
        all.insert(all.end(), {get, "wait_for_signal", "check a 5 7 0 4096"});
        return all;
    }
    Running running_;
};

// The answers of a process whose GPU 1 has a page b with the stamp 9, from its opening on.
Answers on_gpu_1(const std::string& bench, const std::string& handle, const std::vector<std::string>& more,
                 const Environment& environment = {}) {
    std::vector<std::string> all{"set 1", "malloc b 2097152", "fill b 9", "sync",
                                 "ipc_open a " + handle + " 4194304"};
    all.insert(all.end(), more.begin(), more.end());
    const Ran ran = probe(bench, all, environment);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_GE(ran.answers.size(), 5u);
    return {ran.answers.begin() + 4, ran.answers.end()};
}

const std::vector<std::string> read{"load b a 4096", "sync", "check b 7 9 0 4096"};
const std::vector<std::string> write{"fill b 5", "store a b 4096", "sync"};

TEST(Ipc, KernelsOfAnotherProcessLoadAndStore) {
    Exporter owner("open-x2");
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, read), Answers({"0", "0", "0", right}));
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, write), Answers({"0", "0", "0", "0"}));
    EXPECT_EQ(owner.finds(), right);
}

TEST(Ipc, CopiesGoBothWays) {
    Exporter owner("open-x2");
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, {"copy b a 4096", "check b 7 9 0 4096", "kind a"}),
              Answers({"0", "0", right, "0 2 0"}));
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, {"fill b 5", "peer a 0 b 1 4096"}), Answers({"0", "0", "0"}));
    EXPECT_EQ(owner.finds(), right);
}

TEST(Ipc, TheHandleIsOfTheWholeAllocationWhereverThePointerPoints) {
    Exporter owner("open-x2", "ipc_get a 3145728");
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, {"load b a 8", "word b", "word a 4194304"}),
              Answers({"0", "0", "0 0x7", "1"}));
}

TEST(Ipc, MemoryOfTheSameGpuIsReachedWithoutPeerAccess) {
    Exporter owner("locked-x2");
    const Ran ran = probe(
        "locked-x2", {"malloc b 2097152", "fill b 9", "ipc_open a " + owner.handle + " 4194304",
                      "load b a 4096", "sync", "check b 7 9 0 4096", "fill b 5", "store a b 4096", "sync"});
    EXPECT_EQ(ran.answers, Answers({"0", "0", "0", "0", "0", right, "0", "0", "0"}));
    EXPECT_EQ(owner.finds(), right);
}

TEST(Ipc, OpeningAgainCountsAndClosingTheLastUnmaps) {
    Exporter owner("open-x2");
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle,
                       {"ipc_open c " + owner.handle + " 4194304", "same a c", "ipc_close a", "load b c 8",
                        "sync", "ipc_close a", "kind a", "ipc_close a", "last", "load b a 8", "sync"}),
              Answers({"0", "0", "yes", "0", "0", "0", "0", "0 0 -2", "1", "1", "0", "700"}));
}

TEST(Ipc, ClosingAndOpeningAgainShowsTheMemoryAgain) {
    Exporter owner("open-x2");
    std::vector<std::string> again{"load b a 8", "sync", "ipc_close a", "fill b 9",
                                   "ipc_open a " + owner.handle + " 4194304"};
    again.insert(again.end(), read.begin(), read.end());
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, again).back(), right);
}

TEST(Ipc, PeerAccessLastsAsLongAsTheOpening) {
    // Plain memory of GPU 0 of the opening process is a peer's like any other.
    const std::vector<std::string> plain{"set 0", "malloc own 4096", "fill own 3", "sync", "set 1"};
    Exporter owner("open-x2");
    std::vector<std::string> held = plain;
    held.insert(held.end(), {"load b own 4096", "sync", "enable 0"});
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, held),
              Answers({"0", "0", "0", "0", "0", "0", "0", "0", "704"}));
    std::vector<std::string> closed = plain;
    closed.insert(closed.end(), {"ipc_close a", "load b own 4096", "sync"});
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, closed).back(), "700");
}

TEST(Ipc, AProcessDoesNotOpenItsOwnMemory) {
    EXPECT_EQ(probe("open-x2", {"malloc a 4096", "ipc_get a", "set 1", "ipc_open b own 4096"}).answers.back(),
              "201");
}

TEST(Ipc, AForgedHandleIsAnError) {
    EXPECT_EQ(on_gpu_1("open-x2", std::string(128, '0'), {"last", "last"}), Answers({"400", "400", "0"}));
    Exporter owner("open-x2");
    std::string forged = owner.handle;
    forged[80] = forged[80] == '0' ? '1' : '0';  // of its offset
    EXPECT_EQ(on_gpu_1("open-x2", forged, {}).front(), "400");
    EXPECT_EQ(on_gpu_1("open-x3", owner.handle, {}).front(), "400") << "of another bench";
    EXPECT_EQ(probe("open-x2", {"set 1", "ipc_open a " + owner.handle + " 8 0"}).answers.back(), "1")
        << "without the flag";
}

TEST(Ipc, AHandleOfMemoryThatWasFreedIsAnError) {
    Exporter owner("open-x2", "ipc_get a", {});
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, {}).front(), "0");
    // Got before it was freed, and other memory is there now.
    Running freed("open-x2",
                  {"malloc a 4194304", "ipc_get a", "free a", "malloc b 4194304", "wait_for_kill"});
    const Answers answers = freed.lines_until("ready");
    EXPECT_EQ(answers.at(3), "0");
    EXPECT_EQ(on_gpu_1("open-x2", word(answers.at(1), 1), {}).front(), "400");
}

TEST(Ipc, AHandleOfAProcessThatIsGoneIsAnError) {
    Exporter owner("open-x2");
    owner.end();
    EXPECT_EQ(on_gpu_1("open-x2", owner.handle, {}).front(), "400");
}

TEST(Ipc, OnlyPlainMemoryIsExported) {
    EXPECT_EQ(probe("open-x2", {"address x 0x200100000000", "ipc_get x", "ordinary h 8", "ipc_get h",
                                "pool_malloc p 4096", "ipc_get p", "hostalloc i 4096", "ipc_get i"})
                  .answers,
              Answers({"0", "1", "0", "1", "0", "1", "0", "1"}));
}

TEST(Ipc, AClosedPathIsRefused) {
    Exporter locked("locked-x2");
    EXPECT_EQ(on_gpu_1("locked-x2", locked.handle, {}).front(), "101");
    const std::string denied = two_gpus("[pairs]\ncan_access = false");
    Exporter other(denied);
    EXPECT_EQ(on_gpu_1(denied, other.handle, {}).front(), "217");
}

TEST(Ipc, AGpuThatIsNotInSightIsNoPeer) {
    Exporter owner("open-x2");
    EXPECT_EQ(
        probe("open-x2", {"ipc_open a " + owner.handle + " 8"}, {{"CUDA_VISIBLE_DEVICES", "1"}}).answers,
        Answers({"217"}));
}

TEST(Ipc, ThePathIsThatOfPlainMemory) {
    const std::string zeros = two_gpus("[pairs]\nload = \"zeros\"\nstore = \"dropped\"\ncopy = \"nothing\"");
    Exporter owner(zeros);
    EXPECT_EQ(on_gpu_1(zeros, owner.handle, read).back().substr(0, 13), "0 512 0 512 0");
    EXPECT_EQ(on_gpu_1(zeros, owner.handle, {"copy b a 4096", "check b 9 7 0 4096"}).back(), right);
}

}  // namespace
}  // namespace peerproof::simulated
