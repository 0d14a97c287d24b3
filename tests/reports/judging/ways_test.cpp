#include "reports/judging/ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reports/judging/judge.hpp"
#include "reports/writing/text_report.hpp"
#include "session/ways.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;

constexpr const char *ipc = "way.ipc.gpu0_to_gpu1", *back = "way.ipc.gpu1_to_gpu0";

Session with_ways(Session session) {
    sample::add_ways(session);
    return session;
}

// gpu0 to gpu1 is closed, and everything else open.
Session half_open() {
    Session session = sample::open_session(2);
    for (const char* id : {"core.read.gpu0_to_gpu1", "core.write.gpu0_to_gpu1"})
        observe(session, id, Outcome::illegal_address);
    sample::add_ways(session);
    for (const WayName& way : all_ways)
        observe(session, "way." + std::string(way.name) + ".gpu0_to_gpu1", Outcome::illegal_address);
    return session;
}
Session open_bench() { return with_ways(sample::open_session(2)); }
Session locked_bench() { return with_ways(sample::locked_session(2)); }

std::string told(const Verdict& verdict) {
    std::string text;
    for (const Finding& finding : verdict.findings) {
        if (finding.word.starts_with("way ") || finding.text.starts_with("way "))
            text += finding.word + ": " + finding.text + (finding.contradicts_open ? " (against)\n" : "\n");
    }
    return text;
}

struct Spoiled {
    const char* name;
    Session (*bench)();
    std::function<void(Session&)> spoil;
    VerdictWord verdict;
    int exit_code;
    const char* line;
    const char* finding;  // all of them; empty: none of the ways
};

void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.name; }

std::function<void(Session&)> ends(Outcome outcome) {
    return [=](Session& session) { observe(session, ipc, outcome); };
}

const Spoiled table[] = {
    {"Delivers", open_bench, [](Session&) {}, VerdictWord::open, 0, "ipc delivered 2/2, vmm delivered 2/2, ",
     ""},
    {"Wrong", open_bench, ends(Outcome::wrong), VerdictWord::suspect, 1,
     "ipc wrong 1/2: gpu0_to_gpu1 and delivered 1/2, vmm",
     "way ipc: wrong (word: zeros in all 1 words): gpu0_to_gpu1 (against)\n"},
    {"Missing", open_bench, ends(Outcome::missing), VerdictWord::suspect, 1, "ipc missing 1/2",
     "way ipc: missing (word: nothing arrived: the poison is intact): gpu0_to_gpu1 (against)\n"},
    {"Hung", open_bench, ends(Outcome::hung), VerdictWord::suspect, 1, "ipc hung 1/2: gpu0_to_gpu1",
     "way ipc: hung (ended: hung): gpu0_to_gpu1 (against)\n"},
    {"Crashed", open_bench, ends(Outcome::crashed), VerdictWord::suspect, 1, "ipc crashed 1/2",
     "way ipc: crashed (ended: crashed): gpu0_to_gpu1 (against)\n"},
    {"Unkillable", open_bench, ends(Outcome::unkillable), VerdictWord::suspect, 1, "ipc unkillable 1/2",
     "way ipc: unkillable (ended: unkillable): gpu0_to_gpu1 (against)\n"},
    // What was granted and then ends so is a lie where the core reaches the same memory.
    {"IllegalAddress", open_bench, ends(Outcome::illegal_address), VerdictWord::suspect, 1,
     "ipc illegal_address 1/2: gpu0_to_gpu1",
     "way ipc: illegal_address (word: moving 8 bytes: cudaDeviceSynchronize answered 700 "
     "cudaErrorIllegalAddress): "
     "gpu0_to_gpu1 (against)\n"},
    {"Refused", open_bench,
     [](Session& s) { sample::refuse(s, ipc, "cudaIpcOpenMemHandle", "101 cudaErrorInvalidDevice"); },
     VerdictWord::open, 0, "ipc refused 1/2 (cudaIpcOpenMemHandle 101): gpu0_to_gpu1 and delivered 1/2",
     "way ipc: refused (word: cudaIpcOpenMemHandle answered 101 cudaErrorInvalidDevice): gpu0_to_gpu1\n"},
    {"RefusedBySeveralCalls", open_bench,
     [](Session& s) {
         sample::refuse(s, ipc, "cuMemSetAccess", "801 CUDA_ERROR_NOT_SUPPORTED");
         sample::refuse(s, back, "cuMemMap", "1 CUDA_ERROR_INVALID_VALUE");
     },
     VerdictWord::open, 0,
     "ipc refused 1/2 (cuMemMap 1): gpu1_to_gpu0 and refused 1/2 (cuMemSetAccess 801): gpu0",
     "way ipc: refused (word: cuMemMap answered 1 CUDA_ERROR_INVALID_VALUE): gpu1_to_gpu0\n"
     "way ipc: refused (word: cuMemSetAccess answered 801 CUDA_ERROR_NOT_SUPPORTED): gpu0_to_gpu1\n"},
    {"RefusedWithASummaryThatDoesNotSayBy", open_bench,
     [](Session& s) {
         sample::refuse(s, ipc, "cuMemMap", "1 CUDA_ERROR_INVALID_VALUE");
         sample::record(s, ipc).summary = "mapping did not work";
     },
     VerdictWord::open, 0, "(cuMemMap 1)",
     "way ipc: refused (mapping did not work; cuMemMap answered 1 CUDA_ERROR_INVALID_VALUE): gpu0_to_gpu1\n"},
    {"DoesNotApply", open_bench, ends(Outcome::not_applicable), VerdictWord::open, 0,
     "ipc not_applicable 1/2: gpu0_to_gpu1 and delivered 1/2",
     "not run: way ipc: ended: not_applicable: gpu0_to_gpu1\n"},
    {"DoesNotApplyAnywhere", open_bench,
     [](Session& s) {
         observe(s, ipc, Outcome::not_applicable);
         observe(s, back, Outcome::not_applicable);
     },
     VerdictWord::open, 0, "ipc not_applicable 2/2, ", "not run: way ipc: ended: not_applicable: all 2\n"},
    {"WorstFirst", open_bench,
     [](Session& s) {
         observe(s, ipc, Outcome::missing);
         observe(s, back, Outcome::wrong);
     },
     VerdictWord::suspect, 1, "ipc wrong 1/2: gpu1_to_gpu0 and missing 1/2: gpu0_to_gpu1, vmm",
     "way ipc: wrong (word: zeros in all 1 words): gpu1_to_gpu0 (against)\n"
     "way ipc: missing (word: nothing arrived: the poison is intact): gpu0_to_gpu1 (against)\n"},
    {"InformationAccusesNobody", open_bench,
     [](Session& s) {
         observe(s, ipc, Outcome::wrong);
         sample::planned(s, ipc).gates = false;
     },
     VerdictWord::open, 0, "ipc wrong 1/2", "way ipc: wrong (word: zeros in all 1 words): gpu0_to_gpu1\n"},
    // What is not known leaves no verdict where the GPUs kept it from running, and accuses nobody.
    {"CouldNotBeSetUp", open_bench, ends(Outcome::inconclusive), VerdictWord::no_verdict, 75,
     "ipc inconclusive 1/2", "way ipc: inconclusive (ended: inconclusive): gpu0_to_gpu1\n"},
    {"NotStarted", open_bench, ends(Outcome::not_started), VerdictWord::no_verdict, 75, "ipc not_started 1/2",
     ""},
    {"NotRun", open_bench, [](Session& s) { sample::remove_record(s, ipc); }, VerdictWord::no_verdict, 75,
     "ipc not run 1/2: gpu0_to_gpu1 and delivered 1/2", "not run: way ipc: gpu0_to_gpu1\n"},
    {"BegunAndNotEnded", open_bench, [](Session& s) { sample::record(s, ipc).finished = false; },
     VerdictWord::no_verdict, 75, "ipc unfinished 1/2", "unfinished: way ipc: gpu0_to_gpu1\n"},
    // A locked bench is honest by an illegal address and by a refusal.
    {"Locked", locked_bench, [](Session&) {}, VerdictWord::locked, 0, "ipc illegal_address 2/2, vmm", ""},
    {"LockedAndRefused", locked_bench, ends(Outcome::refused), VerdictWord::locked, 0,
     "ipc illegal_address 1/2: gpu1_to_gpu0 and refused 1/2 (cudaMemcpyPeer 801): gpu0_to_gpu1", ""},
    {"LockedAndDelivers", locked_bench, ends(Outcome::delivered), VerdictWord::locked, 1, "and delivered 1/2",
     "way ipc: delivers where the core is closed: gpu0_to_gpu1\n"},
    {"LockedAndLies", locked_bench, ends(Outcome::wrong), VerdictWord::locked, 1, "ipc wrong 1/2",
     "way ipc: wrong (word: zeros in all 1 words): gpu0_to_gpu1 (against)\n"},
    // By its pair, not by the bench.
    {"HalfOpen", half_open, ends(Outcome::illegal_address), VerdictWord::partial, 1,
     "ipc illegal_address 1/2", ""},
    {"HalfOpenAndDelivers", half_open, ends(Outcome::delivered), VerdictWord::partial, 1, "ipc delivered 2/2",
     "way ipc: delivers where the core is closed: gpu0_to_gpu1\n"},
    {"HalfOpenAndRefusedOnTheOpenPair", half_open,
     [](Session& s) {
         observe(s, ipc, Outcome::refused);
         observe(s, back, Outcome::refused);
     },
     VerdictWord::partial, 1, "ipc refused 2/2 (cudaMemcpyPeer 801), vmm",
     "way ipc: refused (word: moving 8 bytes: cudaMemcpyPeer answered 801 cudaErrorNotSupported): "
     "gpu1_to_gpu0\n"},
    // What is said of the bench does not depend on what was expected of it.
    {"OpenAlthoughLockedWasExpected", open_bench,
     [](Session& s) {
         s.plan->expectation = Expectation::locked;
         observe(s, ipc, Outcome::illegal_address);
         for (Case& one : s.plan->cases)
             if (one.family == Family::way) one.accepted = {Outcome::illegal_address, Outcome::refused};
     },
     VerdictWord::suspect, 1, "ipc illegal_address 1/2", "gpu0_to_gpu1 (against)\n"},
    {"LockedAlthoughOpenWasExpected", locked_bench,
     [](Session& s) {
         s.plan->expectation = Expectation::open;
         for (Case& one : s.plan->cases)
             if (one.family == Family::way) one.accepted = {Outcome::delivered, Outcome::refused};
     },
     VerdictWord::locked, 1, "ipc illegal_address 2/2", ""},
};

class Ways : public testing::TestWithParam<Spoiled> {};

TEST_P(Ways, AreWeighedAsInTheTable) {
    const Spoiled& row = GetParam();
    Session session = row.bench();
    row.spoil(session);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, row.verdict);
    EXPECT_EQ(verdict.exit_code, row.exit_code);
    const std::string line = ways_line(Ledger(session));
    EXPECT_NE(line.find(row.line), std::string::npos) << line;
    EXPECT_NE(verdict_block(verdict, session).find("\nways: " + line + "\n"), std::string::npos);
    const std::string said = told(verdict);
    EXPECT_EQ(said.empty(), *row.finding == '\0') << said;
    EXPECT_NE(said.find(row.finding), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Table, Ways, testing::ValuesIn(table),
                         [](const auto& row) { return row.param.name; });

TEST(WaysLine, HasTheWaysInTheOrderOfTheirNumbers) {
    EXPECT_EQ(
        ways_line(Ledger(open_bench())),
        "ipc delivered 2/2, vmm delivered 2/2, pool delivered 2/2, graph delivered 2/2, atomics delivered "
        "2/2, order delivered 2/2, widths delivered 2/2");
}

TEST(WaysLine, SaysWhyThereAreNone) {
    Session session = sample::open_session(2);
    EXPECT_EQ(ways_line(Ledger(session)), "not run");
    session.plan->not_run["ways"] = "PEERPROOF_WAYS is off";
    EXPECT_EQ(ways_line(Ledger(session)), "not run: PEERPROOF_WAYS is off");
    EXPECT_EQ(judge(session).word, VerdictWord::open);
    session.plan.reset();
    EXPECT_EQ(ways_line(Ledger(session)), "");
}

TEST(WaysLine, IsOneLineOfBoundedLength) {
    Session session = with_ways(sample::open_session(16));
    int count = 0;
    for (const Case& one : session.plan->cases) {
        constexpr Outcome some[] = {Outcome::wrong, Outcome::missing, Outcome::hung, Outcome::crashed};
        if (one.family == Family::way) observe(session, one.id, some[++count % 4]);
    }
    sample::refuse(session, ipc, "cu\nMem", std::string(500, '8'));
    const std::string line = ways_line(Ledger(session));
    EXPECT_LE(line.size(), 900u);
    EXPECT_EQ(line.find('\n'), std::string::npos);
}

// Green is a locked bench only where every way is as closed as its core.
TEST(WaysOfALockedBench, ThatDeliverOrLieAreNamedInTheReasons) {
    for (const auto& [outcome, text] :
         {std::pair{Outcome::delivered, "a locked bench is expected, and ipc is delivered: gpu0_to_gpu1"},
          {Outcome::wrong, "a locked bench is expected, and ipc is wrong: gpu0_to_gpu1"},
          {Outcome::hung, "a locked bench is expected, and ipc is hung: gpu0_to_gpu1"}}) {
        Session session = locked_bench();
        observe(session, ipc, outcome);
        const Verdict verdict = judge(session);
        EXPECT_EQ(verdict.word, VerdictWord::locked);
        EXPECT_FALSE(verdict.as_expected);
        EXPECT_EQ(verdict.reasons.front().text, text);
        sample::planned(session, ipc).gates = false;
        EXPECT_TRUE(judge(session).as_expected) << "information";
    }
}

TEST(WaysThatAreLeftOut, AreNotRun) {
    Session session = open_bench();
    std::erase_if(session.plan->cases, [](const Case& one) { return one.check == "graph"; });
    std::erase_if(session.records, [](const Record& one) { return one.check == "graph"; });
    session.plan->not_run["ways"] = "PEERPROOF_WAYS leaves out: graph";
    const auto& findings = judge(session).findings;
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& one) {
        return one.word == not_run && one.text == "ways: PEERPROOF_WAYS leaves out: graph";
    }));
}

// A way that is required: open stays open, and the run is not what was asked for.
struct Requirement {
    const char* name;
    std::function<void(Session&)> spoil;
    VerdictWord verdict;
    int exit_code;
    const char* reason;
};
void PrintTo(const Requirement& one, std::ostream* out) { *out << one.name; }

const Requirement requirements[] = {
    {"Delivers", [](Session&) {}, VerdictWord::open, 0, ""},
    {"AnotherDoesNot", [](Session& s) { observe(s, "way.vmm.gpu0_to_gpu1", Outcome::refused); },
     VerdictWord::open, 0, ""},
    {"Refused",
     [](Session& s) { sample::refuse(s, ipc, "cudaIpcOpenMemHandle", "101 cudaErrorInvalidDevice"); },
     VerdictWord::open, 1,
     "ipc is required, and did not deliver: refused 1/2 (cudaIpcOpenMemHandle 101): gpu0_to_gpu1"},
    {"DoesNotApply", ends(Outcome::not_applicable), VerdictWord::open, 1,
     "did not deliver: not_applicable 1/2: gpu0_to_gpu1 (ended: not_applicable)"},
    {"IsNotKnown",
     [](Session& s) {
         observe(s, ipc, Outcome::inconclusive);
         sample::record(s, ipc).steps.push_back({.name = "word", .outcome = Outcome::inconclusive});
     },
     VerdictWord::open, 1, "did not deliver: inconclusive 1/2: gpu0_to_gpu1 (ended: inconclusive)"},
    {"Lies", ends(Outcome::wrong), VerdictWord::suspect, 1, "did not deliver: wrong 1/2: gpu0_to_gpu1 ("},
    {"IsNotPlannedOnAPair",
     [](Session& s) {
         sample::remove_record(s, ipc);
         std::erase_if(s.plan->cases, [](const Case& one) { return one.id == ipc; });
     },
     VerdictWord::open, 1, "ipc is required, and did not deliver: not planned: gpu0_to_gpu1"},
    {"IsNotPlanned",
     [](Session& s) {
         std::erase_if(s.plan->cases, [](const Case& one) { return one.check == "ipc"; });
         std::erase_if(s.records, [](const Record& one) { return one.check == "ipc"; });
     },
     VerdictWord::open, 1, "not planned: gpu0_to_gpu1, gpu1_to_gpu0"},
};

class RequiredWay : public testing::TestWithParam<Requirement> {};

TEST_P(RequiredWay, CountsAndLeavesTheWordToTheCore) {
    Session session = open_bench();
    session.plan->required_ways = {"ipc"};
    for (Case& one : session.plan->cases)
        if (one.check == "ipc") one.accepted = {Outcome::delivered};
    GetParam().spoil(session);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, GetParam().verdict);
    EXPECT_EQ(verdict.exit_code, GetParam().exit_code);
    EXPECT_EQ(verdict.as_expected, GetParam().exit_code == 0);
    EXPECT_EQ(verdict.ways_hold, *GetParam().reason == '\0');
    if (verdict.ways_hold) return;
    // First where nothing else is in the way: it is what a person sees.
    const Reason& reason =
        verdict.word == VerdictWord::open ? verdict.reasons.front() : verdict.reasons.back();
    EXPECT_EQ(reason.kind, "required");
    EXPECT_NE(reason.text.find(GetParam().reason), std::string::npos) << reason.text;
    if (verdict.word != VerdictWord::open) return;
    EXPECT_NE(closing_lines(verdict, "").find("verdict: open\nreason: ipc is required"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Table, RequiredWay, testing::ValuesIn(requirements),
                         [](const auto& row) { return row.param.name; });

// Against a file each way is what it says, and no file excuses a lie.
TEST(WaysAgainstABaseline, AreWhatTheFileSays) {
    Session session = open_bench();
    session.plan->expectation = Expectation::baseline;
    session.plan->baseline = Baseline{.file = "/lab/report.json", .of = "session monday, verdict open"};
    sample::planned(session, ipc).accepted = {Outcome::refused};
    EXPECT_FALSE(judge(session).as_expected) << "it delivers now, and the file says no";
    observe(session, ipc, Outcome::refused);
    EXPECT_TRUE(judge(session).as_expected);
    sample::planned(session, back).accepted = {Outcome::delivered};
    EXPECT_TRUE(judge(session).as_expected);
    observe(session, back, Outcome::not_applicable);
    EXPECT_FALSE(judge(session).as_expected) << "it must deliver, and does not apply";
    observe(session, back, Outcome::delivered);
    sample::planned(session, ipc).accepted = {Outcome::illegal_address};
    observe(session, ipc, Outcome::illegal_address);
    EXPECT_EQ(judge(session).word, VerdictWord::suspect);
    EXPECT_FALSE(judge(session).as_expected);
}

}  // namespace
}  // namespace peerproof
