// A GPU that is sick is asked once, a path that hangs costs three deadlines, and at the end every GPU must
// be there: counted by processes, not by a clock.
#include <gtest/gtest.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

class SickGpu : public testing::Test {
  protected:
    SickGpu() { flow.set("PEERPROOF_DEADLINE", "10"); }
    // The cases of this session by their outcome.
    std::map<std::string, std::vector<std::string>> by_outcome() const {
        std::map<std::string, std::vector<std::string>> cases;
        for (const auto& file : fs::directory_iterator(flow.session() / "records")) {
            const auto record = nlohmann::json::parse(text_of(file.path()));
            if (record.at("family") != "control") cases[record.at("outcome")].push_back(record.at("case"));
        }
        return cases;
    }
    int count_of_health_files() const {
        int count = 0;
        if (fs::exists(flow.session() / "health"))
            for ([[maybe_unused]] const auto& file : fs::directory_iterator(flow.session() / "health"))
                ++count;
        return count;
    }
    std::string summary(const std::string& id) const { return flow.record(id).at("summary"); }
    Flow flow;
};

std::string hanging(int gpus, const std::string& more) {
    return "description = \"A path of a bench hangs.\"\n[gpus]\nmemory_mib = 1024\ncount = " +
           std::to_string(gpus) + "\n" + more +
           "[[pair]]\nfrom = 1\nto = 0\nload = \"hang\"\nstore = \"hang\"\ncopy = \"hang\"\n"
           "[expect]\nverdict = \"hung\"\n";
}

TEST_F(SickGpu, OneHungPairOfEightCostsThreeDeadlines) {
    flow.bench_text("hung-pair-x8", hanging(8, ""));
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8);
    auto cases = by_outcome();
    EXPECT_EQ(cases["hung"].size(), 3u) << ended.output;
    // What stands beside the core between the two: staged copies, enable orders, and what would be asked again.
    EXPECT_EQ(cases["not_started"].size(), 2u + 1 + 6);
    // The other pairs of the two GPUs are asked again, and no more than these.
    const std::size_t asked_again = 3 * (26 - 2);
    EXPECT_EQ(cases["delivered"].size(), 168u - 3 + (56 - 2) + (28 - 1) + asked_again + 8);
    EXPECT_EQ(cases["not_applicable"].size(), 168u - 6 - asked_again);
    EXPECT_EQ(cases.size(), 4u);
    EXPECT_EQ(flow.outcome("core.write.gpu0_to_gpu1"), "delivered");  // the other direction was asked
    EXPECT_EQ(count_of_health_files(), 2);                            // gpu0 and gpu1, and they answered
}

TEST_F(SickGpu, WhatGoesTheHungPathIsNotStartedWhereverItBelongs) {
    flow.bench_text("hung-pair-x3", hanging(3, ""));
    flow.set("PEERPROOF_MEASUREMENTS", "brief");
    flow.set("PEERPROOF_COLLECTIVE", "on");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(by_outcome()["hung"].size(), 3u) << ended.output;
    for (const char* id : {"measurement.read_bandwidth.gpu0_to_gpu1", "evidence.staged_copy.gpu1_to_gpu0",
                           "collective.all_reduce.gpu0_gpu1", "collective.all_reduce.bench"})
        EXPECT_EQ(flow.outcome(id), "not_started") << id;
    for (const char* id : {"measurement.read_bandwidth.gpu0_to_gpu2", "collective.all_reduce.gpu0_gpu2",
                           "collective.all_reduce_without_p2p.bench"})
        EXPECT_EQ(flow.outcome(id), "delivered") << id;
    EXPECT_EQ(flow.outcome("closing.still_there.gpu1"), "delivered");
}

// GPU 0 does not recover from its first hang, in one way or the other.
void expect_asked_once(Flow& flow, const std::map<std::string, std::vector<std::string>>& cases) {
    ASSERT_TRUE(cases.contains("hung"));
    ASSERT_EQ(cases.at("hung").size(), 1u);
    const std::string first = cases.at("hung").front();
    EXPECT_EQ(flow.outcome("closing.still_there.gpu0"), "not_started");
    EXPECT_EQ(flow.record("closing.still_there.gpu0").at("summary"),
              "not started: gpu0 has not answered since " + first + " hung");
    for (const std::string& id : cases.at("not_started"))
        EXPECT_NE(id.find("gpu0"), std::string::npos) << id << ": of a GPU that is well";
    for (const char* id : {"core.read.gpu1_to_gpu2", "core.write.gpu2_to_gpu1", "closing.still_there.gpu2"})
        EXPECT_EQ(flow.outcome(id), "delivered") << id;
}

std::string sick(const std::string& how) {
    return "description = \"A GPU is sick after its first hang.\"\n[gpus]\ncount = 3\nmemory_mib = "
           "1024\n[[gpu]]\nindex = 0\n"
           "after_hang = \"" +
           how + "\"\n[[pair]]\nfrom = 1\nto = 0\nload = \"hang\"\n[expect]\nverdict = \"hung\"\n";
}

TEST_F(SickGpu, AGpuWhoseKernelsHangFromThenOnIsAskedOnce) {
    flow.bench_text("poisoned-x3", sick("hangs"));
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    expect_asked_once(flow, by_outcome());
}

TEST_F(SickGpu, AGpuThatAnswersWithErrorsFromThenOnIsAskedOnce) {
    flow.bench_text("sick-x3", sick("errors"));
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    expect_asked_once(flow, by_outcome());
}

// A GPU that is gone when all has been said: its closing says so by name, and is red.
TEST_F(SickGpu, AGpuThatFellOffTheBusAfterTheCoreIsMissedAtTheEnd) {
    flow.bench_text("gone-x2",
                    "description = \"Falls off when the core is done.\"\n[gpus]\ncount = 2\nmemory_mib = "
                    "1024\n[[gpu]]\n"
                    "index = 1\nfalls_off_after = 17\n[expect]\nverdict = \"no_verdict\"\n");
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8) << ended.output;
    EXPECT_EQ(flow.outcome("core.write.gpu1_to_gpu0"), "delivered");
    EXPECT_EQ(flow.outcome("closing.still_there.gpu0"), "delivered");
    EXPECT_EQ(flow.outcome("closing.still_there.gpu1"), "inconclusive");
    // None is in sight, for the process of a case sees its own GPUs only.
    EXPECT_NE(
        summary("closing.still_there.gpu1").find("is not there: 0 of the GPUs of this case are in sight"),
        std::string::npos)
        << summary("closing.still_there.gpu1");
    EXPECT_NE(summary("closing.still_there.gpu1").find("gpu1 (GPU-"), std::string::npos);
}

TEST_F(SickGpu, ASelectionIsClosedAsWell) {
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.ctest({"-R", "core.copy.gpu0_to_gpu1", "-E", "closing"});
    EXPECT_EQ(flow.outcome("closing.still_there.gpu0"), "delivered");
    EXPECT_EQ(flow.outcome("closing.still_there.gpu1"), "delivered");
}

}  // namespace
}  // namespace peerproof::flow
