#include "reports/writing/text_report.hpp"

#include <gtest/gtest.h>

#include "reports/judging/judge.hpp"
#include "reports/writing/first_difference.hpp"
#include "reports/writing/text_details.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) c == '\n' ? lines.emplace_back() : lines.back() += c;
    lines.pop_back();
    return lines;
}

Session simulated(Session session, const std::string& name) {
    session.plan->simulated = name;
    for (Record& record : session.records) record.simulated = name;
    return session;
}

TEST(Text, BeginsWithTheRows) {
    const Session session = sample::locked_session(3);
    const auto lines = lines_of(text_report(judge(session), session));
    EXPECT_EQ(lines[0], "Check                           |   Pairs | Result");
    EXPECT_EQ(lines[2], "Driver-reported capability bit  |     0/6 | 6x no");
    EXPECT_EQ(lines[3], "Enabling peer access            |     0/6 | 6x 101 cudaErrorInvalidDevice");
    EXPECT_EQ(lines[4], "Copy from A to B                |     6/6 | 6x delivered");
    EXPECT_EQ(lines[5],
              "Kernel on B reads A's memory    |     0/6 | 6x illegal_address (700 cudaErrorIllegalAddress)");
    EXPECT_EQ(lines[6],
              "Kernel on A writes B's memory   |     0/6 | 6x illegal_address (700 cudaErrorIllegalAddress)");
    EXPECT_EQ(lines[7], "Staged copy, P2P never enabled  |     6/6 | 6x delivered");
}

TEST(Text, TheVerdictComesFirstWhereItIsPrinted) {
    const Session session = sample::locked_session(3);
    const Verdict verdict = judge(session);
    const auto lines = lines_of(printed_report(verdict, session));
    EXPECT_EQ(lines[0], "signature: pairs=6 checks=18 failures=12");
    EXPECT_EQ(lines[1], "verdict: locked");
    EXPECT_EQ(lines[2], "expected: locked");
    EXPECT_EQ(lines[3], "reason: every read and every write ended in an illegal address");
    EXPECT_TRUE(lines[4].starts_with("failing pairs: 6 of 6: gpu0_to_gpu1 (read write), "));
    EXPECT_EQ(lines[5], "in common: all 6 pairs; reads and writes, copies hold");
}

TEST(Text, ASimulatedBenchIsNamedFirst) {
    const Session session = simulated(sample::open_session(3), "open-x3");
    const Verdict verdict = judge(session);
    const std::string banner = "SIMULATED BENCH open-x3: says nothing about real hardware\n";
    for (const auto& text : {text_report(verdict, session), printed_report(verdict, session),
                             closing_lines(verdict, "x"), verdict_block(verdict, session)})
        EXPECT_TRUE(text.starts_with(banner)) << text.substr(0, 200);
    const Session real = sample::open_session(3);
    EXPECT_FALSE(says(printed_report(judge(real), real), "SIMULATED"));
}

TEST(Text, ASelfCheckIsNamedFirst) {
    Session session = sample::locked_session(3);
    session.plan->self_check = true;
    const Verdict verdict = judge(session);
    for (const auto& text : {text_report(verdict, session), printed_report(verdict, session),
                             closing_lines(verdict, "x"), verdict_block(verdict, session)})
        EXPECT_TRUE(text.starts_with("SELF-CHECK of the suite: ")) << text.substr(0, 200);
}

// CTest cuts the output of a passed test.
TEST(Text, TheVerdictFitsIntoAThousandBytes) {
    for (const std::string& text : hostile_texts()) {
        Session session = simulated(sample::locked_session(16), text);
        for (Case& one : session.plan->cases) {
            if (one.check == "copy") sample::observe(session, one.id, Outcome::wrong);
        }
        sample::record(session, "core.copy.gpu0_to_gpu1").summary = text;
        session.plan->self_check = true;
        Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, VerdictWord::silent);
        EXPECT_LT(verdict_block(verdict, session).size(), 1000u);
        verdict.reasons.assign(5, {"x", text, {}});
        verdict.common_factor = text;
        EXPECT_LT(verdict_block(verdict, session).size(), 1000u);
    }
}

TEST(Text, ThePartThatFailsIsThereInFull) {
    Session session = sample::open_session(16);
    std::vector<std::string> places;
    for (int other = 0; other < 15; ++other) {
        places.push_back("gpu15_to_gpu" + std::to_string(other));
        sample::observe(session, "core.write." + places.back(), Outcome::missing);
    }
    const Verdict verdict = judge(session);
    EXPECT_TRUE(says(verdict_block(verdict, session), "failing pairs: 15 of 240: gpu15_to_gpu0 (write), "));
    EXPECT_TRUE(says(verdict_block(verdict, session),
                     " more\nin common: every pair out of gpu15 and no other; writes only"));
    const std::string text = text_report(verdict, session);
    for (const std::string& place : places)
        EXPECT_TRUE(says(text, place + " ") || says(text, place + "\n")) << place;
    EXPECT_TRUE(says(text, "core.write: missing, 15 of 240: gpu15_to_gpu0"));
    EXPECT_TRUE(says(text,
                     "    - word: poison intact; 1 of 1 words differ, first at offset 0x0: expected\n"
                     "      0x0123456789abcdef, found 0xfedcba9876543210\n"))
        << text;
}

// Of values that were exchanged any may stand there: none was expected.
TEST(Text, AWordOfWhichNoneWasExpectedIsSaidWithoutOne) {
    const Step step{.name = "exchange 32", .first_offset = 16, .found_hex = "0x01"};
    EXPECT_EQ(first_difference(step), "first at offset 0x10: found 0x01");
}

// What was not started is no failure of its own.
TEST(Text, WhatWasNotStartedIsToldApart) {
    Session session = sample::open_session(2);
    Record& record = sample::record(session, "core.write.gpu0_to_gpu1");
    record.outcome = Outcome::not_started;
    record.summary = "gpu0 is in quarantine";
    const std::string text = text_report(judge(session), session);
    const std::size_t heading = text.find("\nCore checks of which nothing is known\n");
    ASSERT_NE(heading, std::string::npos) << text;
    EXPECT_NE(text.find("core.write: not_started, 1 of 2: gpu0_to_gpu1", heading), std::string::npos) << text;
    EXPECT_EQ(text.find("\nFailing core checks\n"), std::string::npos) << text;
    EXPECT_NE(matrix(Ledger(session)).find("crn"), std::string::npos);
}

TEST(Text, MatrixReadsWithoutColour) {
    Session session = sample::open_session(3);
    sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::illegal_address);
    sample::observe(session, "core.write.gpu1_to_gpu2", Outcome::wrong);
    sample::observe(session, "core.copy.gpu2_to_gpu0", Outcome::hung);
    sample::remove_record(session, "core.copy.gpu2_to_gpu1");
    EXPECT_EQ(matrix(Ledger(session)),
              "from \\ to  g0  g1  g2\n"
              "gpu0       .  c-w crw\n"
              "gpu1      crw  .  cr!\n"
              "gpu2      Hrw _rw  .\n"
              "c r w: the copy, read, write delivered; - illegal_address; ! wrong; H hung; _ no record\n"
              "Rows are sources, columns destinations.\n");
}

TEST(Text, ReadsWellAtAHundredColumns) {
    for (const int gpus : {3, 16, 40}) {
        const Session session = sample::locked_session(gpus);
        const std::string text = text_report(judge(session), session);
        for (const std::string& line : lines_of(text.substr(text.find("\nPairs\n"))))
            EXPECT_LE(line.size(), 100u) << line;
    }
}

TEST(Text, HostileTextsForgeNothing) {
    for (const std::string& hostile : hostile_texts()) {
        Session session = sample::open_session(2);
        session.plan->gpus[0].name = hostile;
        session.plan->environment = {{"host", hostile}, {hostile, "x"}};
        session.strays.push_back({hostile, hostile});
        for (Record& record : session.records) {
            sample::observe(session, record.case_id, Outcome::crashed);
            record.summary = record.log = hostile;
            record.hints = {{"can_access_peer", 0, 1, hostile}};
            record.steps.push_back(hostile_step(hostile));
        }
        const std::string text = printed_report(judge(session), session);
        int verdicts = 0;
        for (const std::string& line : lines_of(text)) verdicts += line.starts_with("verdict: ") ? 1 : 0;
        EXPECT_EQ(verdicts, 1);
        for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
        EXPECT_LT(text.size(), 300'000u);
    }
}

TEST(Text, ClosingLines) {
    Session session = sample::locked_session(3);
    EXPECT_EQ(closing_lines(judge(session), "R"),
              "signature: pairs=6 checks=18 failures=12\nverdict: locked\nreports: R\n");
    session.plan->expectation = Expectation::open;
    EXPECT_TRUE(says(closing_lines(judge(session), "R"), "\nreason: every read and every write"));
    EXPECT_TRUE(
        says(closing_lines(judge(Session{}), "R"), "signature: unknown\nverdict: no_verdict\nreason: "));
}

}  // namespace
}  // namespace peerproof
