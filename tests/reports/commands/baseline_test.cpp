// A bench against a file that says what is expected of it: green only where it is so, and never for a liar.
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/judging/judge.hpp"
#include "reports/writing/json_report.hpp"
#include "reports/writing/text_report.hpp"
#include "tests/reports/report_program.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

constexpr const char* closed[] = {"core.read.gpu0_to_gpu1", "core.write.gpu0_to_gpu1"};

// Three GPUs, one pair known not to work: as its file says.
Session as_the_file_says() {
    Session session = sample::open_session(3);
    session.plan->expectation = Expectation::baseline;
    session.plan->baseline = Baseline{.file = "/lab/report.json", .of = "session monday, verdict partial"};
    for (const char* id : closed) {
        sample::planned(session, id).accepted = {Outcome::illegal_address};
        sample::observe(session, id, Outcome::illegal_address);
    }
    return session;
}

bool has(const Verdict& verdict, const std::string& word, const std::string& text) {
    return std::any_of(verdict.findings.begin(), verdict.findings.end(), [&](const Finding& finding) {
        return finding.word == word && finding.text.find(text) != std::string::npos;
    });
}

TEST(AgainstABaseline, ABenchThatIsWhatTheFileSaysIsGreenAndStillPartial) {
    const Session session = as_the_file_says();
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::partial);
    EXPECT_TRUE(verdict.as_expected);
    EXPECT_EQ(verdict.exit_code, 0);
    EXPECT_EQ(verdict.signature->failures, 2);
    EXPECT_NE(verdict_block(verdict, session)
                  .find("expected: what /lab/report.json says (session monday, verdict partial)"),
              std::string::npos);
    EXPECT_NE(closing_lines(verdict, "r").find("verdict: partial\nexpected: what /lab/report.json says"),
              std::string::npos);
}

TEST(AgainstABaseline, WhateverIsOtherIsRedAndNamed) {
    Session worse = as_the_file_says();
    sample::observe(worse, "core.read.gpu2_to_gpu1", Outcome::illegal_address);
    Verdict verdict = judge(worse);
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_TRUE(has(verdict, "against the baseline",
                    "core.read is illegal_address, where delivered is expected: gpu2_to_gpu1"));

    Session better = as_the_file_says();
    sample::observe(better, closed[0], Outcome::delivered);
    verdict = judge(better);
    EXPECT_EQ(verdict.exit_code, 1) << "the file is out of date, and somebody must say so";
    EXPECT_TRUE(has(verdict, "against the baseline", "core.read is delivered, where illegal_address"));
}

TEST(AgainstABaseline, NoFileMakesALiarGood) {
    for (const Outcome outcome : {Outcome::missing, Outcome::wrong, Outcome::hung, Outcome::crashed,
                                  Outcome::unkillable, Outcome::inconclusive}) {
        Session session = as_the_file_says();
        sample::planned(session, closed[0]).accepted = {outcome};  // as no reader of such files allows
        sample::observe(session, closed[0], outcome);
        const Verdict verdict = judge(session);
        EXPECT_FALSE(verdict.as_expected) << to_string(outcome);
        EXPECT_NE(verdict.exit_code, 0) << to_string(outcome);
    }
    Session missing = as_the_file_says();
    sample::remove_record(missing, closed[0]);
    EXPECT_EQ(judge(missing).exit_code, 75);
}

TEST(AgainstABaseline, HalfAWindowIsNotALockedPair) {
    Session session = as_the_file_says();
    Record& record = sample::record(session, closed[0]);
    record.steps.insert(record.steps.begin(), {.name = "word", .outcome = Outcome::delivered, .bytes = 8});
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_TRUE(has(verdict, "against the baseline", "is illegal_address after a part of the way"));
}

TEST(AgainstABaseline, EvidenceAgainstAPairThatShouldBeOpenCounts) {
    Session session = as_the_file_says();
    sample::add_collective(session);
    for (const Case& one : session.plan->cases) {
        if (one.family == Family::collective)
            sample::planned(session, one.id).accepted = {Outcome::delivered};
    }
    ASSERT_TRUE(judge(session).as_expected);
    sample::observe(session, "collective.all_reduce.gpu0_gpu2", Outcome::other_path);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_TRUE(has(verdict, "collective", "ended other_path"));
}

TEST(AgainstABaseline, AMeasurementThatCannotBeIsNotExpectedEither) {
    Session session = as_the_file_says();
    sample::add_measurements(session);
    ASSERT_TRUE(judge(session).as_expected);
    sample::record(session, "measurement.read_bandwidth.gpu0_to_gpu2").measurements.front().median = 40;
    const Verdict verdict = judge(session);
    EXPECT_TRUE(has(verdict, "impossible", "gpu0_to_gpu2"));
    EXPECT_FALSE(verdict.as_expected);
}

TEST(AgainstABaseline, SumsThatMayBeRefusedAreNoContradictionBesideThoseThatMayNot) {
    Session session = as_the_file_says();
    sample::add_collective(session);
    for (const char* id : {"collective.all_reduce.gpu0_gpu1", "collective.all_reduce.bench"}) {
        sample::planned(session, id).accepted = {Outcome::delivered, Outcome::refused};
        sample::observe(session, id, Outcome::refused);
    }
    EXPECT_TRUE(judge(session).as_expected);
    sample::observe(session, "collective.all_reduce.gpu0_gpu2", Outcome::refused);
    const Verdict verdict = judge(session);
    EXPECT_FALSE(verdict.as_expected);
    EXPECT_TRUE(has(verdict, "collective", "ended refused"));
    EXPECT_TRUE(has(verdict, "against the baseline", "gpu0_gpu2"));
    EXPECT_FALSE(has(verdict, "against the baseline", "gpu0_gpu1"));
}

TEST(AgainstABaseline, ABaselineOfAnotherFingerprintIsSaidAndDecidesNothing) {
    Session session = as_the_file_says();
    session.plan->baseline->differs = {"driver: 570 there, 580 here"};
    const Verdict verdict = judge(session);
    EXPECT_TRUE(verdict.as_expected);
    EXPECT_TRUE(has(verdict, "another fingerprint", "driver: 570 there, 580 here"));
}

TEST(AgainstABaseline, ItsReportIsReadBackAndAForgedOneIsNot) {
    const Session session = as_the_file_says();
    const Folder folder(session);
    EXPECT_EQ(run_verdict(folder).code, 0);
    const Ran lines = run_report("lines '" + folder.path.string() + "'");
    EXPECT_EQ(lines.code, 0) << lines.output;
    EXPECT_NE(lines.output.find("verdict: partial\nexpected: what /lab/report.json says"), std::string::npos)
        << lines.output;
    std::string text = Folder::get(folder.path / "report.json");
    text.replace(text.find("\"verdict\": \"partial\""), 20, "\"verdict\": \"silent\" ");
    Folder::put(folder.path / "report.json", text);
    EXPECT_EQ(run_report("lines '" + folder.path.string() + "'").code, 75);
}

}  // namespace
}  // namespace peerproof
