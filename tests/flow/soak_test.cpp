// A soak through the whole flow: what only it sees, and what is left of one that is cut short.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

constexpr const char* rounds = "soak.rounds.bench";

// With all that a default run has but what only costs time here: the same bench with a soak is silent (its own
// [expect]).
TEST(Soak, SeesWhatARunOfSomeSecondsDoesNot) {
    for (const char* bench : {"one-in-5000-x2", "hot-after-long-x2"}) {
        Flow flow;
        flow.set("PEERPROOF_BENCH", bench);
        flow.set("PEERPROOF_CROWD", "on");
        const Ended ended = flow.ctest({"-j2"});
        EXPECT_EQ(ended.code, 0) << ended.output;
        EXPECT_EQ(flow.report().at("verdict"), "open") << bench;
        EXPECT_EQ(flow.report().at("soak"), "") << bench;
    }
}

TEST(Soak, LastsAsLongAsItIsAskedAndCountsEveryPair) {
    Flow flow;
    flow.bench_text("healthy-x3",
                    "description = \"x\"\n[gpus]\ncount = 3\nmemory_mib = 1024\n[[health]]\ngpu = 1\n"
                    "ecc_corrected_per_gib = 4096\n[expect]\nverdict = \"open\"\n");
    flow.set("PEERPROOF_SOAK", "1s");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    const auto report = flow.report();
    EXPECT_EQ(report.at("verdict"), "open");
    const auto soak = flow.record(rounds).at("soak");
    EXPECT_EQ(soak.at("planned_s"), 1);
    EXPECT_GE(soak.at("rounds"), 1);
    EXPECT_EQ(soak.at("seed"), report.at("plan").at("run"));
    EXPECT_EQ(soak.at("pairs").size(), 6u);
    for (const auto& pair : soak.at("pairs")) {
        for (const auto& operations : pair.at("operations")) EXPECT_GT(operations, 0) << pair;
        EXPECT_GT(pair.at("bytes"), 0);
    }
    EXPECT_EQ(soak.at("after").size(), 3u);
    EXPECT_NE(report.at("findings").dump().find("corrected errors of the memory of gpu1 rose by"),
              std::string::npos)
        << report.at("findings");
    const auto line = report.at("soak").get<std::string>();
    EXPECT_NE(line.find(", 0 wrong; each pair in "), std::string::npos) << line;
    EXPECT_NE(text_of(flow.session() / "report.txt").find("\nsoak: " + line + "\n"), std::string::npos);
}

// The 1000th operation of each path and every later one: the core checks and what is asked again come to some hundreds.
TEST(Soak, GoesOnBehindAWrongOneAndKeepsTheFirstOfEachPair) {
    Flow flow;
    flow.bench_text("late-x2",
                    "description = \"x\"\n[gpus]\ncount = 2\nmemory_mib = 1024\n[[when]]\n"
                    "first_operation = 1000\nstore = \"dropped\"\n[expect]\nverdict = \"silent\"\n");
    flow.set("PEERPROOF_SOAK", "1s");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8) << ended.output;
    EXPECT_EQ(flow.report().at("verdict"), "silent");
    const auto record = flow.record(rounds);
    EXPECT_EQ(record.at("outcome"), "missing");
    EXPECT_EQ(record.at("steps").size(), 2u);
    for (const auto& step : record.at("steps")) EXPECT_EQ(step.at("outcome"), "missing") << step;
    const auto soak = record.at("soak");
    EXPECT_GE(soak.at("seconds"), 1) << "the time is over first";
    EXPECT_GT(soak.at("wrong"), 2);
    ASSERT_EQ(soak.at("firsts").size(), 2u);
    for (const auto& first : soak.at("firsts")) {
        EXPECT_GT(first.at("operation"), 0);
        EXPECT_LT(first.at("operation"), 2000);
        EXPECT_EQ(first.at("before").size(), 2u) << "its two GPUs";
        EXPECT_EQ(first.at("after").size(), 2u);
    }
}

TEST(Soak, ThatIsInterruptedLeavesItsReportsAndNoVerdict) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.set("PEERPROOF_SOAK", "1h");
    flow.set("PEERPROOF_SESSION", "cut");
    fs::create_directories(flow.out() / "cut");
    std::ofstream(flow.out() / "cut" / "stop_soak") << "";  // as ctest/bench does on Ctrl-C
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8) << ended.output;
    const auto report = flow.report();
    EXPECT_EQ(report.at("verdict"), "no_verdict");
    EXPECT_EQ(flow.outcome(rounds), "inconclusive");
    EXPECT_NE(reasons(report).find("interrupted after 0 s of 1 h 00 min"), std::string::npos)
        << reasons(report);
    EXPECT_EQ(flow.outcome("closing.still_there.gpu0"), "delivered") << "what comes behind it has run";
    EXPECT_TRUE(fs::exists(flow.session() / "report.html"));
}

TEST(Soak, OnAClosedBenchThereIsNothingToSoak) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", "locked-x2");
    flow.set("PEERPROOF_EXPECT", "locked");
    flow.set("PEERPROOF_SOAK", "1h");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(flow.outcome(rounds), "not_applicable");
    EXPECT_EQ(flow.report().at("verdict"), "locked");
}

}  // namespace
}  // namespace peerproof::flow
