// The simulated bench answers what a real H200 answered: one test a row of the observations, and what follows
// a fault.
#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

const std::string one_gpu = gpus(1, "");

TEST(Facts, EnablingPeerAccessToItselfIsUnsupported) {
    EXPECT_EQ(probe(one_gpu, {"set 0", "enable 0"}).answers, Answers({"0", "217"}));
}

TEST(Facts, CanAccessItselfIsNo) { EXPECT_EQ(probe(one_gpu, {"can 0 0"}).answers, Answers({"0 0"})); }

TEST(Facts, EnablingAPeerThatIsNotThereIsAnInvalidDevice) {
    EXPECT_EQ(probe(one_gpu, {"enable 1", "can 0 1"}).answers, Answers({"101", "101"}));
}

TEST(Facts, APeerCopyFromADeviceToItselfSucceeds) {
    EXPECT_EQ(
        probe(one_gpu, {"malloc a 4096", "malloc b 4096", "fill a 7", "peer b 0 a 0 4096", "check b 7 9"})
            .answers,
        Answers({"0", "0", "0", "0", "0 0 0 0 0 0 512"}));
}

// launch: success; cudaDeviceSynchronize: 700
void expect_fault(const std::string& where, const std::string& act) {
    const Ran ran = probe(one_gpu, {"malloc own 4096", where, act, "sync"});
    EXPECT_EQ(ran.answers, Answers({"0", "0", "0", "700"})) << where << ", " << act;
}

TEST(Facts, ALoadFromAnAddressThatNobodyMappedIsIllegal) {
    expect_fault("address x 0x123456789000", "load own x 8");
}
TEST(Facts, AStoreToAnAddressThatNobodyMappedIsIllegal) {
    expect_fault("address x 0x123456789000", "store x own 8");
}
TEST(Facts, ALoadFromOrdinaryHostMemoryIsIllegal) { expect_fault("ordinary x 4096", "load own x 8"); }
TEST(Facts, AStoreToOrdinaryHostMemoryIsIllegal) { expect_fault("ordinary x 4096", "store x own 8"); }
TEST(Facts, ALoadFromAForbiddenPageOfTheHostIsIllegal) { expect_fault("noaccess x", "load own x 8"); }
TEST(Facts, ALoadFromNullIsIllegal) { expect_fault("address x 0", "load own x 8"); }
// Of a GPU's own range, but not allocated.
TEST(Facts, ALoadFromMemoryThatNobodyAllocatedIsIllegal) {
    expect_fault("address x 0x200100000000", "load own x 8");
}

TEST(Facts, HeterogeneousMemoryIsOff) {
    const std::string pageable_memory_access = "88";
    EXPECT_EQ(probe(one_gpu, {"attribute " + pageable_memory_access + " 0"}).answers, Answers({"0 0"}));
}

TEST(Facts, AFaultSticksAndGetLastErrorDoesNotClearIt) {
    EXPECT_EQ(probe(one_gpu, {"malloc own 4096", "noaccess x", "load own x 8", "sync", "last", "last",
                              "malloc b 4096", "word own", "set 0", "load own own 8", "free own"})
                  .answers,
              Answers({"0", "0", "0", "700", "700", "700", "700", "700", "700", "700", "700"}));
}

TEST(Facts, AFaultIsNoticedByTheNextCopyAsWell) {
    EXPECT_EQ(probe(one_gpu, {"malloc own 4096", "noaccess x", "load own x 8", "word own"}).answers,
              Answers({"0", "0", "0", "700"}));
}

TEST(Facts, AfterAFaultAResetSucceedsAndNothingWorks) {
    EXPECT_EQ(probe(one_gpu, {"malloc own 4096", "noaccess x", "load own x 8", "sync", "reset", "set 0",
                              "free", "malloc b 4096", "sync"})
                  .answers,
              Answers({"0", "0", "0", "700", "0", "46", "46", "46", "46"}));
}

TEST(Facts, TheNextProcessIsHealthy) {
    probe("open-x2", {"malloc own 4096", "noaccess x", "load own x 8", "sync"});
    EXPECT_EQ(probe("open-x2", {"malloc own 4096", "fill own 7", "check own 7 9"}).answers,
              Answers({"0", "0", "0 0 0 0 0 0 512"}));
}

TEST(Facts, AResetWithoutAFaultBeginsAnew) {
    EXPECT_EQ(probe("open-x2",
                    {"malloc a 4096", "enable 1", "reset", "malloc a 4096", "fill a 7", "sync", "enable 1"})
                  .answers,
              Answers({"0", "0", "0", "0", "0", "0", "0"}));
}

TEST(Facts, PeerAccessIsEnabledOnceAndDisabledOnce) {
    EXPECT_EQ(probe("open-x2",
                    {"can 0 1", "enable 1", "enable 1", "last", "last", "disable 1", "disable 1", "enable 2"})
                  .answers,
              Answers({"0 1", "0", "704", "704", "0", "0", "705", "101"}));
}

TEST(Facts, ADeviceBeyondTheCountIsInvalid) {
    EXPECT_EQ(probe("open-x2", {"set 2", "peek", "last", "last", "set -1", "get"}).answers,
              Answers({"101", "101", "101", "0", "101", "0 0"}));
}

TEST(Facts, ABenchWithoutAGpuHasNoDevice) {
    EXPECT_EQ(probe("no-gpu", {"count", "set 0", "malloc a 8"}).answers, Answers({"100 0", "100", "100"}));
}

TEST(Facts, AFailedLaunchIsNotSticky) {
    EXPECT_EQ(probe(one_gpu, {"badlaunch", "last", "last", "malloc a 4096", "fill a 7", "sync"}).answers,
              Answers({"9", "9", "0", "0", "0", "0"}));
}

}  // namespace
}  // namespace peerproof::simulated
