#include "reports/judging/findings.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "reports/judging/judge.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;

void say(Session& session, const std::string& hint, const std::string& value) {
    for (Record& one : session.records) {
        for (Hint& said : one.hints) {
            if (said.name == hint) said.value = value;
        }
    }
}

struct Spoiled {
    const char* name;
    Session (*bench)(int gpus);
    std::function<void(Session&)> spoil;
    const char* word;
    const char* text;
};

void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.name; }

const Spoiled table[] = {
    {"SaysNoAndGetsThrough", sample::open_session, [](Session& s) { say(s, "can_access_peer", "0"); },
     "hint against truth",
     "the capability bit says no, and loads and stores get through: each of the 6 windows"},
    {"SaysYesAndNothing", sample::locked_session, [](Session& s) { say(s, "can_access_peer", "1"); },
     "hint against truth", "the capability bit says yes, and nothing gets through: each of the 6 windows"},
    {"SaysYesAndHalf", sample::open_session,
     [](Session& s) { observe(s, "core.read.gpu0_to_gpu1", Outcome::illegal_address); }, "hint against truth",
     "the capability bit says yes, and only stores get through: gpu1 into gpu0"},
    {"EnablingFailedAndThrough", sample::open_session,
     [](Session& s) { say(s, "enable_peer_access", "205 cudaErrorMapBufferObjectFailed"); },
     "hint against truth",
     "enabling answered 205 cudaErrorMapBufferObjectFailed, and loads and stores get through"},
    {"YesAndThenNotEnabled", sample::locked_session, [](Session& s) { say(s, "can_access_peer", "1"); },
     "hint against truth", "the capability bit says yes, and enabling answered 101 cudaErrorInvalidDevice"},
    {"EnabledAndNothing", sample::locked_session,
     [](Session& s) { say(s, "enable_peer_access", "0 cudaSuccess"); }, "hint against truth",
     "enabling succeeded, and nothing gets through"},
    {"HintsChange", sample::open_session,
     [](Session& s) { sample::record(s, "core.read.gpu0_to_gpu1").hints[0].value = "0"; },
     "hint against truth", "the capability bit changed between checks: no / yes: gpu0 into gpu1"},
    {"StagedWrong", sample::open_session,
     [](Session& s) { observe(s, "evidence.staged_copy.gpu0_to_gpu1", Outcome::wrong); }, "staged copy",
     "wrong (word: zeros in all 1 words): gpu0_to_gpu1"},
    {"StagedNotRun", sample::open_session,
     [](Session& s) { sample::remove_record(s, "evidence.staged_copy.gpu0_to_gpu1"); }, "not run",
     "staged copy: gpu0_to_gpu1"},
    {"FarStepNotRun", sample::open_session,
     [](Session& s) {
         sample::record(s, "core.copy.gpu1_to_gpu0")
             .hints.push_back({"far_step", 1, 0, "not run: no memory"});
     },
     "not run", "far step: no memory: gpu1_to_gpu0"},
    {"CopiesToo", sample::locked_session,
     [](Session& s) {
         for (const Case& one : s.plan->cases) {
             if (one.check == "copy") observe(s, one.id, Outcome::refused);
         }
     },
     "copies too", "not even staged: refused: all 6"},
    {"NoCollective", sample::open_session, [](Session&) {}, "not run",
     "collective: whether all GPUs together complete one all-reduce"},
};

class EveryFinding : public testing::TestWithParam<Spoiled> {};

TEST_P(EveryFinding, IsTold) {
    Session session = GetParam().bench(3);
    GetParam().spoil(session);
    const Verdict verdict = judge(session);
    std::string all;
    bool told = false;
    for (const Finding& finding : verdict.findings) {
        all += finding.word + ": " + finding.text + "\n";
        told = told ||
               (finding.word == GetParam().word && finding.text.find(GetParam().text) != std::string::npos);
        EXPECT_FALSE(finding.contradicts_open);
    }
    EXPECT_TRUE(told) << "wanted " << GetParam().word << ": " << GetParam().text << "\n" << all;
}

INSTANTIATE_TEST_SUITE_P(Findings, EveryFinding, testing::ValuesIn(table),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Findings, NoneButTheNotRunOnAnHonestBench) {
    for (const Session& session : {sample::open_session(3), sample::locked_session(3)}) {
        for (const Finding& finding : judge(session).findings)
            EXPECT_EQ(finding.word, not_run) << finding.text;
    }
}

TEST(Findings, OneSentenceForManyPairs) {
    Session session = sample::open_session(16);
    say(session, "can_access_peer", "0");
    say(session, "enable_peer_access", "101 cudaErrorInvalidDevice");
    int hints = 0;
    for (const Finding& finding : judge(session).findings) {
        if (finding.word != "hint against truth") continue;
        ++hints;
        EXPECT_LT(finding.text.size(), 200u);
    }
    EXPECT_EQ(hints, 2);
}

}  // namespace
}  // namespace peerproof
