#include "reports/judging/crowd.hpp"

#include <gtest/gtest.h>

#include "reports/judging/judge.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

constexpr const char *all_pairs = "crowd.all_pairs.bench", *ring = "crowd.ring.bench";

Session crowded(int gpus = 2) {
    Session session = sample::open_session(gpus);
    sample::add_measurements(session);
    sample::add_crowd(session);
    return session;
}

// What the owner of one flow found.
void spoil(Session& session, const char* id, Outcome outcome, const std::string& detail) {
    Record& record = sample::record(session, id);
    Step& step = record.steps.at(1);
    step.outcome = record.outcome = outcome;
    step.detail = detail;
    record.summary = step.name + ": " + detail;
}

const Finding* finding_of(const Verdict& verdict, const char* word, const char* id) {
    for (const Finding& finding : verdict.findings) {
        if (finding.word == word && finding.cases == std::vector<std::string>{id}) return &finding;
    }
    return nullptr;
}

TEST(Crowd, ThatDeliversChangesNothing) {
    const Session session = crowded();
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::open) << verdict.reasons.front().text;
    EXPECT_EQ(verdict.exit_code, 0);
    EXPECT_EQ(verdict.signature->text(), "pairs=2 checks=6 failures=0");
    EXPECT_EQ(finding_of(verdict, "crowd", all_pairs), nullptr);
}

// Gen2 x4 each, 2.0 GB/s: of 18 flows 6 leave each GPU.
TEST(Crowd, LineHasPairsSumAndWhatTheLinksCarry) {
    Session session = crowded(3);
    Measurement& sum = sample::measurement(session, all_pairs);
    sum.median = 5.5;
    EXPECT_EQ(crowd_line(Ledger(session)),
              "all_pairs delivered 6/6 (5.50 GB/s in sum, of 6.00 at most), all_to_all delivered 6/6, ring "
              "delivered");
    EXPECT_EQ(judge(session).word, VerdictWord::open);
}

TEST(Crowd, SumBeyondTheLinksContradictsOpen) {
    Session session = crowded(3);
    sample::measurement(session, all_pairs).median = 6.1;
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::suspect);
    const Finding* finding = finding_of(verdict, "impossible", all_pairs);
    ASSERT_NE(finding, nullptr);
    EXPECT_TRUE(finding->contradicts_open);
    EXPECT_NE(finding->text.find("6 of 18 flows cross lets 6.00 GB/s through"), std::string::npos)
        << finding->text;
}

TEST(Crowd, UnknownLinkIsNoCeilingOfTheSum) {
    Session session = crowded(3);
    sample::measurement(session, all_pairs).median = 6.1;
    session.plan->links.clear();
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::open) << verdict.reasons.front().text;
    EXPECT_NE(crowd_line(Ledger(session)).find("(6.10 GB/s in sum)"), std::string::npos)
        << crowd_line(Ledger(session));
}

TEST(Crowd, BytesThatAreNotThereAreSilent) {
    for (const Outcome outcome : {Outcome::missing, Outcome::wrong}) {
        for (const char* id : {all_pairs, ring}) {
            Session session = crowded();
            spoil(session, id, outcome,
                  "alone it was right 3 times, and beside all others it went wrong again");
            const Verdict verdict = judge(session);
            EXPECT_EQ(verdict.word, VerdictWord::silent);
            EXPECT_EQ(verdict.reasons.front().cases, std::vector<std::string>{id});
            EXPECT_NE(verdict.reasons.front().text.find("beside all others it went wrong"),
                      std::string::npos);
            EXPECT_TRUE(finding_of(verdict, "crowd", id)->contradicts_open);
            EXPECT_EQ(verdict.signature->text(), "pairs=2 checks=6 failures=0");
        }
    }
    Session session = crowded();
    spoil(session, all_pairs, Outcome::wrong, "zeros");
    EXPECT_NE(crowd_line(Ledger(session)).find("all_pairs wrong: gpu0_to_gpu1 store"), std::string::npos);
}

TEST(Crowd, EverythingElseThatGoesWrongIsSuspect) {
    for (const Outcome outcome :
         {Outcome::hung, Outcome::crashed, Outcome::illegal_address, Outcome::refused}) {
        Session session = crowded();
        spoil(session, all_pairs, outcome, "it did not end");
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, VerdictWord::suspect) << to_string(outcome);
        EXPECT_TRUE(finding_of(verdict, "crowd", all_pairs)->contradicts_open);
    }
}

TEST(Crowd, WhatDoesNotApplyAccusesNobody) {
    Session session = crowded();
    sample::observe(session, ring, Outcome::not_applicable);
    EXPECT_EQ(judge(session).word, VerdictWord::open);
}

TEST(Crowd, ThatCouldNotBeSetUpLeavesNoVerdict) {
    Session session = crowded();
    sample::observe(session, ring, Outcome::inconclusive);
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

TEST(Crowd, ThatNeverRanLeavesNoVerdict) {
    Session session = crowded();
    sample::remove_record(session, all_pairs);
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
    EXPECT_NE(crowd_line(Ledger(session)).find("all_pairs not run"), std::string::npos);
}

TEST(Crowd, ThatSaysDeliveredAndMovedNothingIsAContradiction) {
    Session session = crowded();
    sample::record(session, ring).steps.clear();
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

TEST(Crowd, ThatWasSwitchedOffIsSaidToBe) {
    Session session = sample::open_session(2);
    EXPECT_EQ(crowd_line(Ledger(session)), "");
    session.plan->not_run["crowd"] = "PEERPROOF_CROWD is off";
    EXPECT_EQ(crowd_line(Ledger(session)), "not run: PEERPROOF_CROWD is off");
}

TEST(Crowd, RatesAreThoseOfTheFlows) {
    const Session session = crowded();
    const auto rates = crowd_rates(Ledger(session));
    ASSERT_EQ(rates.size(), 6u);
    EXPECT_EQ(rates[1].name, "gpu0_to_gpu1 store");
    EXPECT_NEAR(rates[1].gb_per_s, 0.537, 0.001);
}

}  // namespace
}  // namespace peerproof
