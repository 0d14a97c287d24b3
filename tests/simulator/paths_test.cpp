// What each knob of a path makes of loads, stores and copies, as the owners of the memory see it.
#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

// Answers of "check": all of 512 words are right, or all are still the poison's, zeros, ones.
const std::string right = "0 0 0 0 0 0 512";

std::string start(const std::string& answer) {
    return answer.substr(0, answer.find(' ', answer.find(' ') + 1));
}

// a on GPU 0 holds stamp 7, b on GPU 1 stamp 9; both GPUs have enabled each other.
const std::vector<std::string> two_buffers{"malloc a 4096", "fill a 7", "sync",     "enable 1", "set 1",
                                           "malloc b 4096", "fill b 9", "enable 0", "sync"};

// The answers to `steps` after these.
Answers on(const std::string& bench, const std::vector<std::string>& steps) {
    std::vector<std::string> all = two_buffers;
    all.insert(all.end(), steps.begin(), steps.end());
    const Ran ran = probe(bench, all);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_GE(ran.answers.size(), two_buffers.size());
    return {
        ran.answers.begin() + static_cast<std::ptrdiff_t>(std::min(two_buffers.size(), ran.answers.size())),
        ran.answers.end()};
}

std::string pairs(const std::string& knobs) { return two_gpus("[pairs]\n" + knobs); }

const std::vector<std::string> read{"load b a 4096", "check b 7 9"};  // GPU 1 loads from GPU 0
const std::vector<std::string> write{"set 0", "store b a 4096", "set 1",
                                     "check b 7 9"};  // GPU 0 stores into GPU 1
const std::vector<std::string> copy{"peer b 1 a 0 4096", "check b 7 9"};
const std::string intact = "0 512 512";  // mismatched, poison
const std::string zeros = "0 512 0 512 0";

TEST(Paths, OpenDelivers) {
    EXPECT_EQ(on("open-x2", read).back(), right);
    EXPECT_EQ(on("open-x2", write).back(), right);
    EXPECT_EQ(on("open-x2", copy).back(), right);
}

TEST(Paths, NothingIsMappedBeforeItIsEnabledNorAfterItIsDisabled) {
    EXPECT_EQ(
        probe("open-x2", {"malloc a 4096", "set 1", "malloc b 4096", "load b a 8", "sync"}).answers.back(),
        "700");
    EXPECT_EQ(on("open-x2", {"load b a 8", "sync", "disable 0", "load b a 8", "sync"}),
              Answers({"0", "0", "0", "0", "700"}));
}

TEST(Paths, LockedFaultsAndCopiesAreStaged) {
    EXPECT_EQ(on("locked-x2", {"can 0 1", "enable 0", "load b a 4096", "sync"}),
              Answers({"0 0", "101", "0", "700"}));
    EXPECT_EQ(on("locked-x2", {"set 0", "store b a 4096", "sync"}).back(), "700");
    EXPECT_EQ(on("locked-x2", copy).back(), right);
}

TEST(Paths, AMirrorShowsTheWriterItsOwnBytesAndTheOwnerNothing) {
    const Answers seen = on("mirror-x3", {"set 0", "store b a 4096", "malloc back 4096", "load back b 4096",
                                          "check back 7 9", "set 1", "check b 7 9"});
    EXPECT_EQ(seen[4], right);
    EXPECT_EQ(start(seen[6]), "0 512");
    EXPECT_EQ(on("mirror-x3", copy).back().substr(0, intact.size()), intact);
}

TEST(Paths, ARoundTripOfCopiesComparesEqual) {
    const Answers seen = on("round-trip-x2", {"peer b 1 a 0 4096", "check b 7 9", "set 0", "malloc back 4096",
                                              "fill back 5", "peer back 0 b 1 4096", "check back 7 5"});
    EXPECT_EQ(seen[1].substr(0, intact.size()), intact);
    EXPECT_EQ(seen[6], right);
}

TEST(Paths, ZerosAndOnes) {
    EXPECT_EQ(on("zeros-x2", read).back().substr(0, zeros.size()), zeros);
    EXPECT_EQ(on("zeros-x2", copy).back().substr(0, zeros.size()), zeros);
    EXPECT_EQ(on("all-ones-x2", read).back().substr(0, 13), "0 512 0 0 512");
    EXPECT_EQ(on(pairs("copy = \"ones\""), copy).back().substr(0, 13), "0 512 0 0 512");
}

TEST(Paths, DroppedStoresLeaveThePoisonAndLoadsStayReal) {
    EXPECT_EQ(on("read-only-x2", write).back().substr(0, intact.size()), intact);
    EXPECT_EQ(on("read-only-x2", read).back(), right);
    // GPU 0 reads back through its window what the owner has, not what it stored.
    EXPECT_EQ(on("read-only-x2",
                 {"set 0", "store b a 4096", "malloc back 4096", "load back b 4096", "check back 9 7"})
                  .back(),
              right);
}

TEST(Paths, AnAliasIsTheMemoryOfTheOneWhoUsesIt) {
    // Both buffers begin at the same offset of their GPUs: GPU 1 finds its own bytes.
    EXPECT_EQ(on("alias-x3", read).back().substr(0, intact.size()), intact);
    EXPECT_EQ(on("alias-x3", {"set 0", "fill a 5", "store b a 4096", "check a 5 9", "set 1", "check b 5 9"})
                  .back()
                  .substr(0, intact.size()),
              intact);
}

TEST(Paths, TheWrongNeighbourGetsTheBytes) {
    const Answers seen =
        on("wrong-neighbour-x3", {"set 2", "malloc c 4096", "fill c 3", "sync", "set 0", "store b a 4096",
                                  "sync", "set 2", "check c 7 3", "set 1", "check b 7 9"});
    EXPECT_EQ(seen[8], right);
    EXPECT_EQ(seen[10].substr(0, intact.size()), intact);
}

TEST(Paths, WriteOnly) {
    EXPECT_EQ(on("write-only-x2", write).back(), right);
    EXPECT_EQ(on("write-only-x2", read).back(), "700");
    // Loads of zeros beside real stores: a page is asked for anew by every kernel.
    const std::string zeros_and_real = pairs("load = \"zeros\"");
    EXPECT_EQ(on(zeros_and_real, write).back(), right);
    EXPECT_EQ(on(zeros_and_real,
                 {"set 0", "store b a 4096", "malloc back 4096", "load back b 4096", "check back 7 9"})
                  .back()
                  .substr(0, zeros.size()),
              zeros);
}

TEST(Paths, FirstOperationLostSecondReal) {
    EXPECT_EQ(start(on("first-op-lost-x2", copy).back()), "0 512");
    EXPECT_EQ(on("first-op-lost-x2", {"peer b 1 a 0 8", "peer b 1 a 0 4096", "check b 7 9"}).back(), right);
    EXPECT_EQ(start(on("first-op-lost-x2", write).back()), "0 512");
    EXPECT_EQ(
        on("first-op-lost-x2", {"set 0", "store b a 8", "store b a 4096", "set 1", "check b 7 9"}).back(),
        "0 0 0 0 0 0 512");
    EXPECT_EQ(on("first-op-lost-x2", {"load b a 8", "load b a 4096", "check b 7 9"}).back(), right);
}

TEST(Paths, AStaleCopyDeliversTheOneBefore) {
    EXPECT_EQ(start(on("stale-x2", copy).back()), "0 512");
    EXPECT_EQ(on("stale-x2", {"peer b 1 a 0 4096", "peer b 1 a 0 4096", "check b 7 9"}).back(), right);
}

TEST(Paths, AShortCopyStops) {
    EXPECT_EQ(start(on(pairs("copy = \"partial\"\ncopy_limit = 1024"), copy).back()), "0 384");
}

TEST(Paths, AFlippedBitIsOneBit) {
    const std::vector<std::string> large{"malloc a 1048576", "fill a 7", "sync",    "enable 1", "set 1",
                                         "malloc b 1048576", "fill b 9", "enable 0"};
    for (const char* act : {"load b a 1048576", "peer b 1 a 0 1048576"}) {
        std::vector<std::string> steps = large;
        steps.insert(steps.end(), {act, "check b 7 9"});
        EXPECT_EQ(probe("flipped-bit-x2", steps).answers.back(), "0 4 0 0 0 4 131072") << act;
    }
}

TEST(Paths, AShiftedWindowIsOffByAPageOfTheHost) {
    const Answers seen =
        probe("shifted-x2", {"malloc a 8192", "fill a 7", "enable 1", "set 1", "malloc b 8192", "fill b 9",
                             "sync", "set 0", "store b a 4096", "sync", "word b 0", "word b 4096"})
            .answers;
    EXPECT_EQ(seen[10], "0 0x9");
    EXPECT_EQ(seen[11], "0 0x7");
}

TEST(Paths, AWindowWrapsFaultsOrDropsBeyondItsEdge) {
    const std::string reach =
        "134217728";  // bytes from the beginning of a buffer, and beyond a window of 64 MiB
    const auto word_beyond = [&](const std::string& knobs, const std::string& act) {
        return probe(pairs("window_mib = 64\n" + knobs),
                     {"malloc a 268435456", "fill a 7 " + reach + " 4096", "fill a 5 0 4096", "sync",
                      "enable 1", "set 1", "malloc b 268435456", "fill b 9 " + reach + " 4096",
                      "fill b 9 0 4096", "enable 0", act, "sync", "word b " + reach, "word b 0"})
            .answers;
    };
    const std::string load = "load b a 8 " + reach;
    EXPECT_EQ(word_beyond("beyond = \"faults\"", load)[11], "700");
    EXPECT_EQ(word_beyond("beyond = \"wraps\"", load)[12], "0 0x5");
    EXPECT_EQ(word_beyond("beyond = \"dropped\"", load)[12], "0 0xffffffffffffffff");
    const std::string push = "peer b 1 a 0 8 " + reach;
    const Answers wrapped = word_beyond("copy = \"as_store\"", push);
    EXPECT_EQ(wrapped[12], "0 0x9");
    EXPECT_EQ(wrapped[13], "0 0x7");
    EXPECT_EQ(word_beyond("copy = \"as_store\"\nbeyond = \"faults\"", push)[10], "217");
    EXPECT_EQ(word_beyond("copy = \"right\"", push)[12], "0 0x7");
}

TEST(Paths, LateStoresAreSeenWhenTheKernelHasEnded) {
    EXPECT_EQ(on(pairs("store = \"late\""), write).back(), right);
}

TEST(Paths, CopiesAreRefusedWithTheCodeThatTheBenchSays) {
    EXPECT_EQ(on(pairs("copy = 801"), {"peer b 1 a 0 4096", "last", "last", "check b 9 7"}),
              Answers({"801", "801", "0", right}));
    EXPECT_EQ(
        probe(pairs("staged = 217"), {"malloc a 8", "set 1", "malloc b 8", "peer b 1 a 0 8"}).answers.back(),
        "217");
}

TEST(Paths, StagedCopiesAreThoseBeforeEnabling) {
    const std::vector<std::string> steps{"malloc a 4096", "fill a 7",          "set 1",      "malloc b 4096",
                                         "fill b 9",      "peer b 1 a 0 4096", "check b 7 9"};
    EXPECT_EQ(start(probe("staging-lost-x2", steps).answers.back()), "0 512");
    EXPECT_EQ(on("staging-lost-x2", copy).back(), right);
}

TEST(Paths, ACopyByAddressTakesTheSamePath) {
    EXPECT_EQ(on("open-x2", {"copy b a 4096", "check b 7 9"}).back(), right);
    EXPECT_EQ(start(on("fast-nothing-x2", {"copy b a 4096", "check b 7 9"}).back()), "0 512");
}

TEST(Paths, EnablingAnswersWhatTheBenchSays) {
    EXPECT_EQ(on("enable-205-x2", {"can 1 0", "enable 0", "load b a 8", "sync"}),
              Answers({"0 1", "205", "0", "700"}));
    EXPECT_EQ(on("too-many-peers-x2", {"enable 0"}), Answers({"711"}));
    EXPECT_EQ(on(pairs("mapped = \"always\"\nenable = 101"), read).back(), right);
    EXPECT_EQ(on(pairs("enable_lag_ms = 5000"), {"load b a 8", "sync"}).back(), "700");
    EXPECT_EQ(probe(three_gpus("[machine]\nmax_peers = 1"), {"enable 1", "enable 2"}).answers,
              Answers({"0", "711"}));
}

TEST(Paths, AsymmetricBits) {
    EXPECT_EQ(on("asymmetric-bit-x2", {"can 0 1", "can 1 0", "load b a 8", "sync"}),
              Answers({"0 1", "0 0", "0", "700"}));
    EXPECT_EQ(on("asymmetric-bit-x2", write).back(), right);
}

TEST(Paths, AGpuMayForgetWhatItsOwnKernelsStore) {
    const std::string dead = two_gpus("[[gpu]]\nindex = 1\nlocal_stores = \"dropped\"");
    EXPECT_EQ(start(probe(dead, {"set 1", "malloc b 4096", "fill b 7", "sync", "set 0", "malloc a 4096",
                                 "fill a 7", "check a 7 9", "set 1", "word b"})
                        .answers.back()),
              "0 0");
}

}  // namespace
}  // namespace peerproof::simulated
