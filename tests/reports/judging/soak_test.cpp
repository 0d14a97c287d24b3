#include "reports/judging/soak.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "reports/judging/judge.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

constexpr const char* id = "soak.rounds.bench";

Session soaked(int gpus = 2) {
    Session session = sample::open_session(gpus);
    sample::add_soak(session);
    return session;
}

Soak& soak_in(Session& session) { return *sample::record(session, id).soak; }

// One operation of the first pair.
void spoil(Session& session, Outcome outcome) {
    Record& record = sample::record(session, id);
    Soak& soak = *record.soak;
    soak.wrong = soak.pairs[0].wrong[1] = 1;
    soak.firsts = {{.flow = "gpu0_to_gpu1 store",
                    .outcome = outcome,
                    .beside = "alone, small",
                    .round = 14,
                    .operation = 1402,
                    .operation_all = 2800,
                    .bytes = 3'100'000'000,
                    .bytes_all = 6'200'000'000,
                    .seconds = 41,
                    .detail = "the poison is intact"}};
    record.outcome = outcome;
    record.steps = {{.name = "gpu0_to_gpu1 store", .outcome = outcome, .bytes = 512}};
    record.summary = soak_text(soak);
}

const Finding* finding_of(const Verdict& verdict, const char* word) {
    for (const Finding& finding : verdict.findings) {
        if (finding.word == word) return &finding;
    }
    return nullptr;
}

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

TEST(SoakJudged, ThatIsCleanChangesNothingAndSaysWhatItLeavesPossible) {
    const Session session = soaked();
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::open) << verdict.reasons.front().text;
    EXPECT_EQ(verdict.exit_code, 0);
    EXPECT_EQ(verdict.signature->text(), "pairs=2 checks=6 failures=0");
    EXPECT_EQ(finding_of(verdict, "soak"), nullptr);
    EXPECT_EQ(soak_line(Ledger(session)),
              "10 min 02 s, 212 rounds, 1,200,000 operations, 2.0 TB verified, 0 wrong; each pair in 600,000 "
              "operations at least: less than one in 200,285 goes wrong (95 %)");
}

TEST(SoakJudged, BoundIsThatOfThePairWithTheFewestOperations) {
    Session session = soaked();
    Soak& soak = soak_in(session);
    soak.pairs[1].operations = {10, 0, 0};
    soak.operations = 600'010;
    EXPECT_TRUE(says(soak_line(Ledger(session)), "each pair in 10 operations at least: less than one in 3 "));
}

TEST(SoakJudged, BytesThatAreNotThereAreSilent) {
    for (const Outcome outcome : {Outcome::missing, Outcome::wrong}) {
        Session session = soaked();
        spoil(session, outcome);
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, VerdictWord::silent);
        EXPECT_EQ(verdict.reasons.front().cases, std::vector<std::string>{id});
        EXPECT_TRUE(finding_of(verdict, "soak")->contradicts_open);
        EXPECT_EQ(verdict.signature->text(), "pairs=2 checks=6 failures=0");
        EXPECT_TRUE(says(soak_line(Ledger(session)),
                         "wrong 1 of 1,200,000: gpu0_to_gpu1 store, operation 1,402 of this pair (2,800 of "
                         "all) after 3.1 GB"));
        EXPECT_FALSE(says(soak_line(Ledger(session)), "95 %"));
    }
}

TEST(SoakJudged, EverythingElseThatGoesWrongIsSuspect) {
    for (const Outcome outcome :
         {Outcome::hung, Outcome::crashed, Outcome::illegal_address, Outcome::refused}) {
        Session session = soaked();
        spoil(session, outcome);
        EXPECT_EQ(judge(session).word, VerdictWord::suspect) << to_string(outcome);
    }
}

TEST(SoakJudged, KilledItSaysWhatItHad) {
    Session session = soaked();
    Record& record = sample::record(session, id);
    record.outcome = Outcome::crashed;
    record.exit_code.reset();
    record.signal = 9;
    record.steps.clear();
    EXPECT_TRUE(soak_line(Ledger(session)).starts_with("crashed, at last: 10 min 02 s, 212 rounds"));
    record.finished = false;  // together with its supervisor
    EXPECT_TRUE(soak_line(Ledger(session)).starts_with("unfinished, at last: 10 min 02 s, 212 rounds"));
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
}

// It was asked for, and a part of it is not what was asked for.
TEST(SoakJudged, CutShortItLeavesNoVerdict) {
    Session session = soaked();
    Record& record = sample::record(session, id);
    record.outcome = Outcome::inconclusive;
    record.steps.clear();
    record.soak->cut_short = "interrupted";
    record.soak->seconds = 41;
    record.summary = soak_text(*record.soak);
    record.exit_code = 1;
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::no_verdict);
    EXPECT_TRUE(says(verdict.reasons.front().text,
                     "the soak came to no end: interrupted after 41 s of 10 min 00 s, 212 rounds"))
        << verdict.reasons.front().text;
    EXPECT_TRUE(soak_line(Ledger(session)).starts_with("interrupted after 41 s of 10 min 00 s"));
}

TEST(SoakJudged, ThatNeverRanLeavesNoVerdict) {
    Session session = soaked();
    sample::remove_record(session, id);
    EXPECT_EQ(judge(session).word, VerdictWord::no_verdict);
    EXPECT_EQ(soak_line(Ledger(session)), "not run");
}

TEST(SoakJudged, ThatSaysDeliveredAndIsNotWholeIsAContradiction) {
    const auto word_where = [](const std::function<void(Record&)>& change) {
        Session session = soaked();
        change(sample::record(session, id));
        return judge(session).word;
    };
    EXPECT_EQ(word_where([](Record&) {}), VerdictWord::open);
    EXPECT_EQ(word_where([](Record& r) { r.soak.reset(); }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->seconds = 599; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->planned_s = 1; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->rounds = 0; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->operations = 0; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->bytes = 0; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->cut_short = "interrupted"; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.soak->wrong = 1; }), VerdictWord::no_verdict);
    EXPECT_EQ(word_where([](Record& r) { r.steps.clear(); }), VerdictWord::no_verdict);
}

TEST(SoakJudged, WhatDoesNotApplyAccusesNobody) {
    Session session = soaked();
    sample::observe(session, id, Outcome::not_applicable);
    sample::record(session, id).soak.reset();
    EXPECT_EQ(judge(session).word, VerdictWord::open);
    EXPECT_TRUE(soak_line(Ledger(session)).starts_with("not_applicable ("));
}

TEST(SoakJudged, NobodyAskedForNoneIsNoLine) {
    Session session = sample::open_session(2);
    EXPECT_EQ(soak_line(Ledger(session)), "");
    session.plan->not_run["soak"] = "a self-check enables no peer access";
    EXPECT_EQ(soak_line(Ledger(session)), "not run: a self-check enables no peer access");
}

struct Counted {
    const char* name;
    const char* words;
    VerdictWord verdict;
};

TEST(SoakHealth, CountersThatRoseAreToldAndErrorsThatStoodAccuse) {
    constexpr VerdictWord open = VerdictWord::open, suspect = VerdictWord::suspect;
    for (const Counted& one :
         {Counted{"pcie_replays", "PCIe replays of gpu1 rose by 12", open},
          Counted{"ecc_corrected", "corrected errors of the memory of gpu1 rose by 12", open},
          Counted{"ecc_uncorrected", "uncorrected errors of the memory of gpu1 rose by 12", suspect},
          Counted{"aer_correctable", "corrected PCIe errors of gpu1 rose by 12", open},
          Counted{"aer_nonfatal", "uncorrected PCIe errors of gpu1 (nonfatal) rose by 12", suspect},
          Counted{"aer_fatal", "uncorrected PCIe errors of gpu1 (fatal) rose by 12", suspect},
          Counted{"port_aer_correctable", "corrected PCIe errors of the port above gpu1 rose by 12", open},
          Counted{"port_aer_fatal", "of the port above gpu1 (fatal) rose by 12", suspect},
          Counted{"nvlink_replays", "NVLink replays of gpu1 rose by 12", open}}) {
        Session session = soaked();
        soak_in(session).before[1].values[one.name] = 5;
        soak_in(session).after[1].values[one.name] = 17;
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, one.verdict) << one.name;
        const Finding* finding = finding_of(verdict, "health");
        ASSERT_NE(finding, nullptr) << one.name;
        EXPECT_TRUE(says(finding->text, one.words)) << finding->text;
        EXPECT_TRUE(says(finding->text, "2.0 TB and 10 min 02 s between all GPUs")) << finding->text;
    }
}

TEST(SoakHealth, WhatIsNotSaidOrDidNotRiseIsNoFinding) {
    Session session = soaked();
    Soak& soak = soak_in(session);
    soak.after[0].values["aer_fatal"] = 12;  // nobody knows from where it rose
    soak.before[1].values["aer_nonfatal"] = 12;
    soak.after[1].values["ecc_uncorrected"] = soak.before[1].values["ecc_uncorrected"] = 3;
    soak.after[1].values["temperature_c"] = 95;
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::open);
    EXPECT_EQ(finding_of(verdict, "health"), nullptr);
}

TEST(SoakHealth, AnXidAccusesUnlessAProgramBringsItAbout) {
    for (const int xid : {48, 74, 79, 94, 119}) {
        Session session = soaked();
        soak_in(session).after[0].xids = {xid};
        EXPECT_EQ(judge(session).word, VerdictWord::suspect) << xid;
    }
    for (const int xid : {13, 31, 43, 45}) {
        Session session = soaked();
        soak_in(session).after[0].xids = {xid};
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, VerdictWord::open) << xid;
        EXPECT_TRUE(says(finding_of(verdict, "health")->text, "as a program on it can bring about"));
    }
}

}  // namespace
}  // namespace peerproof
