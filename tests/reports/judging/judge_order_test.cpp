// The order of the rules: where two of them could speak, the earlier one does. Of reasons for no verdict,
// both do.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reports/judging/judge.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;

// One step down the order of the rules. Each spoils checks that no other one touches.
struct Step {
    const char* name;
    VerdictWord word;
    std::function<void(Session&)> spoil;
};

const VerdictWord none = VerdictWord::no_verdict;

const Step steps[] = {
    {"session", none, [](Session& s) { s.plan->session = "old"; }},
    {"control", none, [](Session& s) { observe(s, "control.negative.gpu0", Outcome::delivered); }},
    {"gpus", none, [](Session& s) { s.plan->gpus_wanted = 7; }},
    {"missing", none, [](Session& s) { sample::remove_record(s, "core.copy.gpu0_to_gpu1"); }},
    {"unfinished", none, [](Session& s) { sample::record(s, "core.copy.gpu0_to_gpu2").finished = false; }},
    {"unplanned", none,
     [](Session& s) {
         s.records.push_back(Record(s.records.front()));
         s.records.back().case_id = "core.extra";
     }},
    {"foreign", none, [](Session& s) { sample::record(s, "core.copy.gpu1_to_gpu0").session = "older"; }},
    {"duplicate", none, [](Session& s) { s.records.push_back(Record(s.records.front())); }},
    {"unreadable", none,
     [](Session& s) {
         s.strays.push_back({"x.json", "not JSON"});
     }},
    {"contradiction", none, [](Session& s) { sample::record(s, "core.read.gpu1_to_gpu0").steps.clear(); }},
    {"counts", none,
     [](Session& s) { s.plan->cases.push_back(Case(sample::planned(s, "core.read.gpu2_to_gpu0"))); }},
    {"silent", VerdictWord::silent,
     [](Session& s) { observe(s, "core.write.gpu0_to_gpu1", Outcome::missing); }},
    {"hung", VerdictWord::hung, [](Session& s) { observe(s, "core.write.gpu0_to_gpu2", Outcome::hung); }},
    {"inconclusive", none, [](Session& s) { observe(s, "core.copy.gpu1_to_gpu2", Outcome::inconclusive); }},
    {"partial", VerdictWord::partial,
     [](Session& s) { observe(s, "core.write.gpu1_to_gpu0", Outcome::illegal_address); }},
};

bool has_reason(const Verdict& verdict, const std::string& kind) {
    return std::any_of(verdict.reasons.begin(), verdict.reasons.end(),
                       [&](const Reason& reason) { return reason.kind == kind; });
}

TEST(Order, OfEveryTwoRules) {
    for (std::size_t i = 0; i < std::size(steps); ++i) {
        for (std::size_t j = i + 1; j < std::size(steps); ++j) {
            const auto& [first, second] = std::pair{steps[i], steps[j]};
            for (const bool reversed : {false, true}) {
                Session session = sample::open_session(3);
                (reversed ? second : first).spoil(session);
                (reversed ? first : second).spoil(session);
                const Verdict verdict = judge(session);
                EXPECT_EQ(to_string(verdict.word), to_string(first.word))
                    << first.name << ", " << second.name;
                EXPECT_TRUE(has_reason(verdict, first.name)) << first.name << ", " << second.name;
                EXPECT_EQ(has_reason(verdict, second.name), second.word == none)
                    << first.name << ", " << second.name;
                if (second.word != none) continue;
                const auto at = [&](const std::string& kind) {
                    return std::find_if(verdict.reasons.begin(), verdict.reasons.end(),
                                        [&](const Reason& reason) { return reason.kind == kind; });
                };
                EXPECT_LT(at(first.name), at(second.name)) << first.name << ", " << second.name;
            }
        }
    }
}

const Finding doubt{"impossible", "faster than its link", {}, true};

TEST(Order, AFindingThatContradictsMakesOpenSuspect) {
    const Verdict verdict = judge(sample::open_session(3), {doubt});
    EXPECT_EQ(verdict.word, VerdictWord::suspect);
    EXPECT_FALSE(verdict.as_expected);
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_NE(verdict.reasons.front().text.find("impossible: faster than its link"), std::string::npos);
}

TEST(Order, AFindingThatDoesNotContradictLeavesItOpen) {
    Finding remark = doubt;
    remark.contradicts_open = false;
    EXPECT_EQ(judge(sample::open_session(3), {remark}).word, VerdictWord::open);
}

TEST(Order, AFindingMakesNoOtherVerdictBetterOrWorse) {
    for (const Step& step : steps) {
        Session session = sample::open_session(3);
        step.spoil(session);
        EXPECT_EQ(to_string(judge(session, {doubt}).word), to_string(step.word)) << step.name;
    }
    EXPECT_EQ(judge(sample::locked_session(3), {doubt}).word, VerdictWord::locked);
}

// On a bench that is locked but for what is spoiled: silent and hung come before locked, too.
TEST(Order, LockedComesAfterTheWorseOnes) {
    for (const auto& [outcome, word] : {std::pair{Outcome::missing, VerdictWord::silent},
                                        {Outcome::wrong, VerdictWord::silent},
                                        {Outcome::hung, VerdictWord::hung},
                                        {Outcome::crashed, VerdictWord::hung},
                                        {Outcome::unkillable, VerdictWord::hung},
                                        {Outcome::inconclusive, VerdictWord::no_verdict},
                                        {Outcome::refused, VerdictWord::partial}}) {
        for (const char* id :
             {"core.copy.gpu0_to_gpu1", "core.read.gpu0_to_gpu1", "core.write.gpu0_to_gpu1"}) {
            Session session = sample::locked_session(3);
            observe(session, id, outcome);
            EXPECT_EQ(to_string(judge(session).word), to_string(word)) << id << " " << to_string(outcome);
        }
    }
}

}  // namespace
}  // namespace peerproof
