#include "reports/judging/all_reduces.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "reports/judging/judge.hpp"
#include "reports/writing/text_report.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;

constexpr const char* pair = "collective.all_reduce.gpu0_gpu1";
constexpr const char* bench = "collective.all_reduce.bench";
constexpr const char* control = "collective.all_reduce_without_p2p.bench";
constexpr const char* by_default = "collective.all_reduce_by_default.bench";

Session with_collective(Session session) {
    sample::add_collective(session);
    return session;
}

struct Spoiled {
    const char* name;
    bool open;
    std::function<void(Session&)> spoil;
    VerdictWord verdict;
    const char* line;
    const char* finding;  // empty: none of the collective
};

void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.name; }

const Spoiled table[] = {
    {"Holds", true, [](Session&) {}, VerdictWord::open, "2 of 2 all-reduces held over P2P and no other path",
     ""},
    {"Wrong", true, [](Session& s) { observe(s, pair, Outcome::wrong); }, VerdictWord::suspect,
     "of 2 all-reduces over P2P only: 1 delivered, 1 wrong", "the all-reduce over P2P only ended wrong"},
    {"Hung", true, [](Session& s) { observe(s, bench, Outcome::hung); }, VerdictWord::suspect,
     "of 2 all-reduces over P2P only: 1 delivered, 1 hung", "the all-reduce over P2P only ended hung"},
    {"OtherPath", true, [](Session& s) { observe(s, bench, Outcome::other_path); }, VerdictWord::suspect,
     "1 other_path", "the all-reduce over P2P only ended other_path"},
    {"Refused", true, [](Session& s) { observe(s, bench, Outcome::refused); }, VerdictWord::suspect,
     "1 refused", "the all-reduce over P2P only ended refused"},
    {"Crashed", true, [](Session& s) { observe(s, bench, Outcome::crashed); }, VerdictWord::suspect,
     "1 crashed", "the all-reduce over P2P only ended crashed"},
    {"Inconclusive", true, [](Session& s) { observe(s, bench, Outcome::inconclusive); }, VerdictWord::open,
     "1 inconclusive", "the all-reduce over P2P only ended inconclusive"},
    // Where NCCL does not work without P2P either, its all-reduces accuse nobody.
    {"ControlBroken", true,
     [](Session& s) {
         observe(s, control, Outcome::wrong);
         observe(s, bench, Outcome::hung);
     },
     VerdictWord::open, "inconclusive: without P2P the all-reduce ended wrong",
     "inconclusive: the all-reduce without P2P ended wrong"},
    {"ByDefaultIsInformation", true, [](Session& s) { observe(s, by_default, Outcome::hung); },
     VerdictWord::open, "2 of 2 all-reduces held", "hung"},
    {"NotRun", true, [](Session& s) { sample::remove_record(s, bench); }, VerdictWord::no_verdict,
     "1 delivered, 1 not run", "collective: 1 of 5 all-reduces: bench"},
    {"BegunAndNotEnded", true, [](Session& s) { sample::record(s, bench).finished = false; },
     VerdictWord::no_verdict, "1 delivered, 1 unfinished",
     "unfinished collective: 1 of 5 all-reduces: bench"},
    {"RefusedByTheBit", true,
     [](Session& s) {
         observe(s, pair, Outcome::refused);
         sample::record(s, pair).hints.push_back({"can_access_peer", 0, 1, "0"});
     },
     VerdictWord::open, "1 refused", "refused: the capability bit says no, and NCCL takes its word for it"},
    {"RefusedAlthoughTheBitSaysYes", true,
     [](Session& s) {
         observe(s, pair, Outcome::refused);
         sample::record(s, pair).hints.push_back({"can_access_peer", 0, 1, "1"});
     },
     VerdictWord::suspect, "1 refused", "the all-reduce over P2P only ended refused ("},
    {"WrongWhateverTheBitSays", true,
     [](Session& s) {
         observe(s, pair, Outcome::wrong);
         sample::record(s, pair).hints.push_back({"can_access_peer", 0, 1, "0"});
     },
     VerdictWord::suspect, "1 wrong", "the all-reduce over P2P only ended wrong"},
    {"LockedRefuses", false, [](Session&) {}, VerdictWord::locked,
     "of 2 all-reduces over P2P only: 2 refused", ""},
    {"LockedAndHolds", false, [](Session& s) { observe(s, bench, Outcome::delivered); }, VerdictWord::locked,
     "1 delivered, 1 refused", "the all-reduce over P2P only ended delivered"},
    {"OpenAlthoughLockedWasExpected", true,
     [](Session& s) {
         s.plan->expectation = Expectation::locked;
         for (Case& one : s.plan->cases)
             if (one.check == "all_reduce") one.accepted = {Outcome::refused};
     },
     VerdictWord::open, "2 of 2 all-reduces held", ""},
    {"SilentStaysSilent", true,
     [](Session& s) {
         observe(s, "core.read.gpu0_to_gpu1", Outcome::missing);
         observe(s, bench, Outcome::hung);
     },
     VerdictWord::silent, "1 hung", "the all-reduce over P2P only ended hung"},
};

class Collective : public testing::TestWithParam<Spoiled> {};

TEST_P(Collective, IsWeighedAsInTheTable) {
    const Spoiled& row = GetParam();
    Session session = with_collective(row.open ? sample::open_session(2) : sample::locked_session(2));
    row.spoil(session);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, row.verdict);
    EXPECT_NE(collective_line(Ledger(session)).find(row.line), std::string::npos)
        << collective_line(Ledger(session));
    EXPECT_NE(verdict_block(verdict, session).find(std::string("\ncollective: ")), std::string::npos);
    std::string said;
    for (const Finding& finding : verdict.findings) {
        if (finding.word.starts_with("collective") || finding.text.starts_with("collective"))
            said += finding.word + " " + finding.text + "\n";
    }
    EXPECT_EQ(said.empty(), *row.finding == '\0') << said;
    EXPECT_NE(said.find(row.finding), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Table, Collective, testing::ValuesIn(table),
                         [](const auto& row) { return row.param.name; });

TEST(CollectiveLine, SaysWhyItWasNotRun) {
    Session session = sample::open_session(2);
    EXPECT_EQ(collective_line(Ledger(session)), "not run");
    session.plan->not_run["collective"] = "this peerproof was built without NCCL";
    EXPECT_EQ(collective_line(Ledger(session)), "not run: this peerproof was built without NCCL");
    EXPECT_NE(verdict_block(judge(session), session).find("\ncollective: not run: this peerproof"),
              std::string::npos);
    EXPECT_EQ(judge(session).word, VerdictWord::open);
}

TEST(CollectivePaths, AreThoseOfEachKindOfSum) {
    Session session = with_collective(sample::open_session(2));
    sample::record(session, by_default).edges = {{0, 1, "SHM/direct/direct", 2},
                                                 {1, 0, "SHM/direct/direct", 2}};
    std::string text;
    for (const std::string& line : collective_paths(Ledger(session))) text += line + "\n";
    EXPECT_NE(text.find("P2P only: held by P2P/direct pointer: gpu0_gpu1, bench\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("by default: held by SHM/direct/direct: bench\n"), std::string::npos) << text;
}

TEST(CollectiveSettings, ThatWereThereAreAFinding) {
    Session session = with_collective(sample::open_session(2));
    sample::record(session, bench)
        .hints.push_back(
            {"nccl_setting", Hint::none, Hint::none, "NCCL_P2P_DISABLE=1 (taken out)", "environment"});
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, VerdictWord::open);
    bool named = false;
    for (const Finding& finding : verdict.findings)
        named = named || finding.text == "NCCL_P2P_DISABLE=1 (taken out), from environment";
    EXPECT_TRUE(named);
}

}  // namespace
}  // namespace peerproof
