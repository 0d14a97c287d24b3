#include "reports/judging/again.hpp"

#include <gtest/gtest.h>

#include "reports/judging/judge.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;

constexpr const char *first = "core.read.gpu0_to_gpu1", *again = "again.read.gpu0_to_gpu1",
                     *not_asked = "again.read.gpu1_to_gpu0";

Session asked_again(Session session) {
    sample::add_again(session);
    return session;
}
Session open_bench() { return asked_again(sample::open_session(2)); }

bool has_finding(const Verdict& verdict) {
    for (const Finding& finding : verdict.findings) {
        if (finding.word == "asked again") return finding.contradicts_open;
    }
    return false;
}

TEST(Again, TheSameAnswersChangeNothing) {
    for (const Session& session : {open_bench(), asked_again(sample::locked_session(2))}) {
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.exit_code, 0);
        EXPECT_FALSE(has_finding(verdict));
        EXPECT_EQ(again_line(Ledger(session)),
                  "3 of 6 core checks asked again at the end, with the same answers; nothing had failed on "
                  "the GPUs of the rest");
    }
}

TEST(Again, IsOutsideTheSignature) {
    Session session = open_bench();
    observe(session, again, Outcome::illegal_address);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.signature->text(), "pairs=2 checks=6 failures=0");
    EXPECT_TRUE(verdict.failing.empty());
}

TEST(Again, AnAnswerThatDiffersIsSuspect) {
    for (const Outcome outcome :
         {Outcome::illegal_address, Outcome::refused, Outcome::hung, Outcome::crashed}) {
        Session session = open_bench();
        observe(session, again, outcome);
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, VerdictWord::suspect) << to_string(outcome);
        EXPECT_EQ(verdict.reasons.front().cases, (std::vector<std::string>{first, again}));
        EXPECT_TRUE(has_finding(verdict));
    }
}

TEST(Again, BytesThatAreGoneAtTheEndAreSilent) {
    for (const Outcome outcome : {Outcome::missing, Outcome::wrong}) {
        Session session = open_bench();
        observe(session, again, outcome);
        EXPECT_EQ(judge(session).word, VerdictWord::silent) << to_string(outcome);
    }
}

// Open or closed, it is not what it was.
TEST(Again, ABenchThatWasClosedAndOpensIsSuspect) {
    Session session = asked_again(sample::locked_session(2));
    observe(session, again, Outcome::delivered);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::suspect);
    EXPECT_EQ(verdict.exit_code, 1);
}

// What the core says by itself is worse, and stays.
TEST(Again, NeverMakesAVerdictBetter) {
    Session silent = open_bench(), hung = open_bench();
    observe(silent, first, Outcome::wrong);
    EXPECT_EQ(judge(silent).word, VerdictWord::silent);
    observe(hung, first, Outcome::hung);
    const Verdict verdict = judge(hung);
    EXPECT_EQ(verdict.word, VerdictWord::hung);
    EXPECT_TRUE(has_finding(verdict));
}

TEST(Again, WhatIsNotKnownLeavesNoVerdict) {
    Session session = open_bench();
    observe(session, again, Outcome::inconclusive);
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
    EXPECT_EQ(
        again_line(Ledger(session)),
        "2 of 6 core checks asked again at the end, with the same answers; of 1 it is not known; nothing "
        "had failed on the GPUs of the rest");
    observe(session, again, Outcome::delivered);
    EXPECT_EQ(judge(session).word, VerdictWord::open);
    sample::remove_record(session, not_asked);
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

TEST(Again, ADeliveryWithoutAStepIsNone) {
    Session session = open_bench();
    sample::record(session, again).steps.clear();
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

TEST(Again, SaysAfterHowManySecondsAndBytes) {
    Session session = open_bench();
    for (const char* id : {first, "core.read.gpu1_to_gpu0"})
        sample::record(session, id).steps[0].bytes = 50'000'000;
    sample::record(session, again).started = "2026-12-01T05:16:34Z";
    observe(session, again, Outcome::illegal_address);
    const Ledger ledger(session);
    const auto otherwise = answered_otherwise(ledger);
    ASSERT_EQ(otherwise.size(), 1u);
    EXPECT_TRUE(
        otherwise[0].text(ledger).starts_with("core.read.gpu0_to_gpu1 delivered, and at the end "
                                              "illegal_address: 94 s after the session began, after 100.0 MB "
                                              "between its GPUs and 100.0 MB in all (word: "))
        << otherwise[0].text(ledger);
    sample::record(session, again).started = "soon";
    EXPECT_EQ(answered_otherwise(ledger)[0].text(ledger).find("session began"), std::string::npos);
}

TEST(Again, CountsWhatOtherPairsCarriedApart) {
    Session session = asked_again(sample::open_session(3));
    sample::record(session, "core.read.gpu0_to_gpu2").steps[0].bytes = 3'000'000'000;
    observe(session, again, Outcome::illegal_address);
    const Ledger ledger(session);
    EXPECT_NE(
        answered_otherwise(ledger)[0].text(ledger).find("after 0.0 MB between its GPUs and 3.0 GB in all"),
        std::string::npos)
        << answered_otherwise(ledger)[0].text(ledger);
}

TEST(Again, OfASessionWithoutItNothingIsSaid) {
    EXPECT_EQ(again_line(Ledger(sample::open_session(2))), "");
    EXPECT_EQ(judge(sample::open_session(2)).word, VerdictWord::open);
}

}  // namespace
}  // namespace peerproof
