// Each rule of the judge: a healthy session with one thing spoiled, and what must be said of it.
#include "reports/judging/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "session/exit_code.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;
using sample::record;
using sample::remove_record;

struct Rule {
    const char* name;
    std::function<void(Session&)> spoil;
    VerdictWord word;
    const char* kind;  // of one of the reasons
    const char* text;  // in that reason
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

void everything(Session& session, const std::string& check, Outcome outcome) {
    const std::vector<Case> cases = session.plan->cases;
    for (const Case& one : cases) {
        if (one.family == Family::core && one.check == check) observe(session, one.id, outcome);
    }
}

// As an honest driver says of a closed path.
void deny(Session& session) {
    for (Record& one : session.records) {
        for (Hint& hint : one.hints)
            hint.value = hint.name == "can_access_peer" ? "0" : "101 cudaErrorInvalidDevice";
    }
}

void rename(Session& session, const std::string& from, const std::string& to) {
    sample::planned(session, from).id = to;
    record(session, from).case_id = to;
}

void keep_gpus(Session& session, int gpus) {
    const auto beyond = [&](const auto& one) {
        return std::any_of(one.gpus.begin(), one.gpus.end(), [&](int gpu) { return gpu >= gpus; });
    };
    std::erase_if(session.plan->cases, beyond);
    std::erase_if(session.records, beyond);
    session.plan->gpus.resize(gpus);
}

const VerdictWord none = VerdictWord::no_verdict;

const Rule rules[] = {
    {"NoPlan", [](Session& s) { s.plan.reset(), s.why_no_plan = "there is no plan.json"; }, none, "plan",
     "there is no plan.json"},
    {"RecordsWithoutPlan", [](Session& s) { s.plan.reset(); }, none, "unplanned",
     "36 records without a plan"},
    {"PlanOfAnotherSession", [](Session& s) { s.plan->session = "old"; }, none, "session",
     "of session old, not of"},
    {"ControlRefuted", [](Session& s) { observe(s, "control.positive.gpu1", Outcome::missing); }, none,
     "control",
     "control.positive did not hold on gpu1: missing, where delivered holds; suspect the suite first"},
    {"ControlThatNeverSaysNo", [](Session& s) { observe(s, "control.negative.gpu0", Outcome::delivered); },
     none, "control", "control.negative did not hold on gpu0: delivered, where wrong holds"},
    {"ControlHung", [](Session& s) { observe(s, "control.fault.gpu2", Outcome::hung); }, none, "control",
     "control.fault did not hold on gpu2: hung"},
    {"ControlInconclusive", [](Session& s) { observe(s, "control.fault.gpu2", Outcome::inconclusive); }, none,
     "control", "inconclusive, where illegal_address holds"},
    {"ControlMissing", [](Session& s) { remove_record(s, "control.recovery.gpu0"); }, none, "control",
     "without a record, suspect the suite first: control.recovery.gpu0"},
    {"ControlOnlyStarted", [](Session& s) { record(s, "control.fault.gpu0").finished = false; }, none,
     "control", "started and did not finish, suspect the suite first: control.fault.gpu0"},
    {"ControlThatAcceptsNothing",
     [](Session& s) { sample::planned(s, "control.fault.gpu0").accepted.clear(); }, none, "control",
     "where nothing holds"},
    {"NoControlPlanned",
     [](Session& s) {
         std::erase_if(s.plan->cases, [](const Case& one) { return one.family == Family::control; });
         std::erase_if(s.records, [](const Record& one) { return one.family == Family::control; });
     },
     none, "control", "is planned for: gpu0, gpu1, gpu2"},
    {"NoControlThatSaysNo",
     [](Session& s) {
         for (const char* check : {"fault", "negative"}) {
             const std::string id = std::string("control.") + check + ".gpu1";
             sample::planned(s, id).accepted.push_back(Outcome::delivered);
         }
     },
     none, "control", "no control that must say no is planned for: gpu1"},
    {"NoRecoveryPlanned",
     [](Session& s) {
         std::erase_if(s.plan->cases, [](const Case& one) { return one.id == "control.recovery.gpu1"; });
         remove_record(s, "control.recovery.gpu1");
     },
     none, "control", "control.recovery is not planned for: gpu1"},
    {"NoFaultPlanned",
     [](Session& s) {
         std::erase_if(s.plan->cases, [](const Case& one) { return one.check == "fault"; });
         std::erase_if(s.records, [](const Record& one) { return one.check == "fault"; });
     },
     none, "control", "control.fault is not planned for: gpu0, gpu1, gpu2"},
    {"OneGpu", [](Session& s) { keep_gpus(s, 1); }, none, "gpus", "one GPU: there is no pair to decide on"},
    {"NoGpu", [](Session& s) { keep_gpus(s, 0); }, none, "gpus", "no GPU: there is no pair to decide on"},
    {"MoreGpusWanted", [](Session& s) { s.plan->gpus_wanted = 4; }, none, "gpus",
     "4 GPUs were asked for, 3 are there"},
    {"FewerGpusWanted", [](Session& s) { s.plan->gpus_wanted = 2; }, none, "gpus",
     "2 GPUs were asked for, 3 are there"},
    {"SameGpuTwice", [](Session& s) { s.plan->gpus[2].uuid = s.plan->gpus[0].uuid; }, none, "gpus",
     "gpu2 is listed twice"},
    {"OneCoreMissing", [](Session& s) { remove_record(s, "core.write.gpu2_to_gpu1"); }, none, "missing",
     "partial session: 17 of 18 core checks ran; never started: core.write.gpu2_to_gpu1"},
    {"AllCoreMissing",
     [](Session& s) {
         std::erase_if(s.records, [](const Record& one) { return one.family == Family::core; });
     },
     none, "missing", "none of the 18 core checks ran"},
    {"NothingRan", [](Session& s) { s.records.clear(); }, none, "control", "controls without a record"},
    {"CoreOnlyStarted", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").finished = false; }, none,
     "unfinished", "core.read.gpu0_to_gpu1"},
    {"Unplanned", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").case_id = "core.read.gpu0_to_gpu9"; },
     none, "unplanned", "core.read.gpu0_to_gpu9"},
    {"OtherSession",
     [](Session& s) { record(s, "core.read.gpu0_to_gpu1").session = "20200101T000000Z-000000"; }, none,
     "foreign", "of session 20200101T000000Z-000000: core.read.gpu0_to_gpu1"},
    {"OtherSessionOfEvidence",
     [](Session& s) { record(s, "evidence.staged_copy.gpu0_to_gpu1").session = "old"; }, none, "foreign",
     "of session old"},
    {"SimulatedRecord", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").simulated = "open-x3"; }, none,
     "foreign", "of the simulated bench open-x3, while the plan is of a real bench"},
    {"RealRecordInSimulation",
     [](Session& s) {
         s.plan->simulated = "open-x3";
         for (Record& one : s.records) one.simulated = "open-x3";
         record(s, "core.copy.gpu0_to_gpu1").simulated.reset();
     },
     none, "foreign", "of a real bench, while the plan is of the simulated bench open-x3"},
    {"OtherTest", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").test = "x"; }, none, "foreign",
     "of test x"},
    {"OtherCheck", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").check = "copy"; }, none, "foreign",
     "of check copy"},
    {"OtherPlace",
     [](Session& s) {
         record(s, "core.read.gpu0_to_gpu1").gpus = {1, 0};
     },
     none, "foreign", "of gpu1_to_gpu0"},
    {"OtherFamily", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").family = Family::evidence; }, none,
     "foreign", "of family evidence"},
    {"Duplicate", [](Session& s) { s.records.push_back(Record(s.records.back())); }, none, "duplicate",
     "evidence.staged_copy.gpu2_to_gpu1"},
    {"UnreadableRecord",
     [](Session& s) {
         remove_record(s, "core.read.gpu0_to_gpu1");
         s.strays.push_back({"core.read.gpu0_to_gpu1.json", "not JSON"});
     },
     none, "unreadable", "records/core.read.gpu0_to_gpu1.json: not JSON"},
    {"HollowDelivery", [](Session& s) { record(s, "core.read.gpu0_to_gpu1").steps.clear(); }, none,
     "contradiction", "has no step that moved anything: core.read.gpu0_to_gpu1"},
    {"TornDelivery",
     [](Session& s) { record(s, "core.read.gpu0_to_gpu1").steps[0].outcome = Outcome::wrong; }, none,
     "contradiction", "one of its steps says otherwise: core.read.gpu0_to_gpu1"},
    {"CoreCheckNotPlanned",
     [](Session& s) {
         remove_record(s, "core.write.gpu0_to_gpu1");
         std::erase_if(s.plan->cases, [](const Case& one) { return one.id == "core.write.gpu0_to_gpu1"; });
     },
     none, "counts", "17 core checks on 6 pairs, where 3 GPUs have 18 on 6"},
    {"CoreCheckTooMany",
     [](Session& s) {
         const char* id = "evidence.staged_copy.gpu0_to_gpu1";
         record(s, id).family = Family::core;
         sample::planned(s, id).family = Family::core;
     },
     none, "counts", "missing or too many: evidence.staged_copy.gpu0_to_gpu1"},
    {"CoreCheckTwiceUnderTwoNames",
     [](Session& s) {
         for (auto* one : {&sample::planned(s, "core.copy.gpu0_to_gpu1")}) one->check = "read";
         record(s, "core.copy.gpu0_to_gpu1").check = "read";
         rename(s, "core.copy.gpu0_to_gpu1", "core.read2.gpu0_to_gpu1");
     },
     none, "counts", "core.copy.gpu0_to_gpu1"},
    {"PlannedTwice", [](Session& s) { s.plan->cases.push_back(Case(s.plan->cases.back())); }, none, "counts",
     "evidence.staged_copy.gpu2_to_gpu1"},
    {"PairOfOneGpu",
     [](Session& s) {
         sample::planned(s, "core.read.gpu0_to_gpu1").gpus = {0, 0};
         record(s, "core.read.gpu0_to_gpu1").gpus = {0, 0};
     },
     none, "counts", "core.read.gpu0_to_gpu1"},
    {"Inconclusive", [](Session& s) { observe(s, "core.copy.gpu0_to_gpu1", Outcome::inconclusive); }, none,
     "inconclusive",
     "could not be set up (ended: inconclusive): core.copy.gpu0_to_gpu1; with gpu0 (0000:01:00.0, "
     "GPU-00000000"},
    {"Missing", [](Session& s) { observe(s, "core.write.gpu0_to_gpu1", Outcome::missing); },
     VerdictWord::silent, "silent", "1 of 18 core checks reported success, and the bytes are not there"},
    {"Wrong", [](Session& s) { observe(s, "core.copy.gpu0_to_gpu1", Outcome::wrong); }, VerdictWord::silent,
     "silent", "1 of 18"},
    {"Hung", [](Session& s) { observe(s, "core.copy.gpu0_to_gpu1", Outcome::hung); }, VerdictWord::hung,
     "hung", "core.copy.gpu0_to_gpu1 hung first: 1 of 18 core checks did not end by themselves"},
    {"Crashed", [](Session& s) { observe(s, "core.copy.gpu0_to_gpu1", Outcome::crashed); }, VerdictWord::hung,
     "hung", "1 of 18"},
    {"Unkillable", [](Session& s) { observe(s, "core.copy.gpu0_to_gpu1", Outcome::unkillable); },
     VerdictWord::hung, "hung", "1 of 18"},
    {"Open", [](Session&) {}, VerdictWord::open, "open", "the owner saw it"},
    {"EvidenceDecidesNothing",
     [](Session& s) {
         observe(s, "evidence.staged_copy.gpu0_to_gpu1", Outcome::wrong);
         observe(s, "evidence.staged_copy.gpu1_to_gpu0", Outcome::inconclusive);
         observe(s, "evidence.staged_copy.gpu1_to_gpu2", Outcome::hung);
         remove_record(s, "evidence.staged_copy.gpu2_to_gpu0");
         record(s, "evidence.staged_copy.gpu2_to_gpu1").finished = false;
     },
     VerdictWord::open, "open", ""},
    {"HintsDecideNothing",
     [](Session& s) {
         for (Record& one : s.records) {
             for (Hint& hint : one.hints)
                 hint.value = hint.name == "can_access_peer" ? "0" : "217 cudaErrorX";
         }
     },
     VerdictWord::open, "open", ""},
    {"NoHintsAtAll",
     [](Session& s) {
         for (Record& one : s.records) one.hints.clear();
     },
     VerdictWord::open, "open", ""},
    {"Locked",
     [](Session& s) {
         everything(s, "read", Outcome::illegal_address), everything(s, "write", Outcome::illegal_address);
         deny(s);
     },
     VerdictWord::locked, "locked", "illegal address"},
    {"LockedWithoutCopies",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
         everything(s, "copy", Outcome::refused);
         deny(s);
     },
     VerdictWord::locked, "locked", ""},
    {"LockedWhereNobodyAsked",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
         for (Record& one : s.records) one.hints.clear();
     },
     VerdictWord::locked, "locked", ""},
    {"GrantedAndShut",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
     },
     VerdictWord::suspect, "granted", "granted, and shut: the driver says yes and enabling succeeded"},
    {"GrantedAndShutInOneWindow",
     [](Session& s) {
         s = sample::locked_session(3);
         for (Hint& hint : record(s, "core.read.gpu0_to_gpu1").hints) {
             if (hint.gpu == 1) hint.value = hint.name == "can_access_peer" ? "1" : "0 cudaSuccess";
         }
     },
     VerdictWord::suspect, "granted", "illegal address: core.read.gpu0_to_gpu1;"},
    {"GrantedTheOtherWayRoundIsNoGrant",
     [](Session& s) {
         s = sample::locked_session(3);
         s.plan->expectation = Expectation::open;
         for (Hint& hint : record(s, "core.read.gpu0_to_gpu1").hints) {
             if (hint.gpu == 0) hint.value = hint.name == "can_access_peer" ? "1" : "0 cudaSuccess";
         }
     },
     VerdictWord::locked, "locked", ""},
    {"EnabledBeforeAndShut",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
         for (Record& one : s.records) {
             for (Hint& hint : one.hints)
                 if (hint.name == "enable_peer_access") hint.value = "704 cudaErrorPeerAccessAlreadyEnabled";
         }
     },
     VerdictWord::partial, "partial", "enabled before (704), and the access ended in an illegal address"},
    {"CapabilityYesAndEnablingRefusedIsLocked",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
         for (Record& one : s.records) {
             for (Hint& hint : one.hints)
                 if (hint.name == "enable_peer_access") hint.value = "205 cudaErrorMapBufferObjectFailed";
         }
     },
     VerdictWord::locked, "locked", ""},
    {"LockedButForOneCopy",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
         observe(s, "core.copy.gpu0_to_gpu1", Outcome::refused);
     },
     VerdictWord::partial, "partial", "13 of 18 core checks failed"},
    {"LockedButForOneRead",
     [](Session& s) {
         for (const char* check : {"read", "write"}) everything(s, check, Outcome::illegal_address);
         observe(s, "core.read.gpu0_to_gpu1", Outcome::delivered);
     },
     VerdictWord::partial, "partial", "11 of 18"},
    {"ClosedBeyondAnOpenBeginningIsNotLocked",
     [](Session& s) {
         s = sample::locked_session(3);
         Record& one = record(s, "core.read.gpu0_to_gpu1");
         one.steps.insert(one.steps.begin(), Step{.name = "word", .outcome = Outcome::delivered, .bytes = 8});
     },
     VerdictWord::partial, "partial", "neither open nor locked"},
    {"ReadsRefusedAreNotLocked",
     [](Session& s) {
         everything(s, "read", Outcome::refused), everything(s, "write", Outcome::illegal_address);
     },
     VerdictWord::partial, "partial", ""},
    {"OneRead", [](Session& s) { observe(s, "core.read.gpu0_to_gpu1", Outcome::illegal_address); },
     VerdictWord::partial, "partial", "1 of 18"},
    {"OnlyCopies", [](Session& s) { everything(s, "copy", Outcome::refused); }, VerdictWord::partial,
     "partial", "6 of 18"},
};

class EveryRule : public testing::TestWithParam<Rule> {};

TEST_P(EveryRule, IsSaid) {
    Session session = sample::open_session(3);
    GetParam().spoil(session);
    const Verdict verdict = judge(session);
    EXPECT_EQ(to_string(verdict.word), to_string(GetParam().word));
    std::string all;
    bool said = false;
    for (const Reason& reason : verdict.reasons) {
        all += reason.kind + ": " + reason.text + "\n";
        said = said ||
               (reason.kind == GetParam().kind && reason.text.find(GetParam().text) != std::string::npos);
    }
    EXPECT_TRUE(said) << "wanted " << GetParam().kind << ": " << GetParam().text << "\n" << all;
    const bool open = GetParam().word == VerdictWord::open;
    EXPECT_EQ(verdict.as_expected, open);
    EXPECT_EQ(verdict.exit_code, open ? exit_held : GetParam().word == none ? exit_no_verdict : exit_refuted);
}

INSTANTIATE_TEST_SUITE_P(Judge, EveryRule, testing::ValuesIn(rules),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST(Judge, SignatureFollowsFromTheNumberOfGpus) {
    for (const auto& [gpus, pairs, checks, locked] :
         {std::array{2, 2, 6, 4}, {3, 6, 18, 12}, {16, 240, 720, 480}}) {
        const Verdict open = judge(sample::open_session(gpus));
        EXPECT_EQ(*open.signature, (Signature{pairs, checks, 0, checks}));
        EXPECT_EQ(*open.signature, *open.if_open);
        const Verdict closed = judge(sample::locked_session(gpus));
        EXPECT_EQ(*closed.signature, (Signature{pairs, checks, locked, checks}));
        EXPECT_EQ(*closed.signature, *closed.if_locked);
        EXPECT_EQ(closed.failing.size(), static_cast<std::size_t>(locked));
    }
    EXPECT_EQ(judge(sample::locked_session(3)).signature->text(), "pairs=6 checks=18 failures=12");
}

TEST(Judge, AMissingRecordIsNeitherDeliveredNorAFailure) {
    Session session = sample::open_session(3);
    remove_record(session, "core.read.gpu0_to_gpu1");
    EXPECT_EQ(judge(session).signature->text(),
              "pairs=6 checks=18 failures=0 not_known=1 (records of 17 checks only)");
    record(session, "core.read.gpu0_to_gpu2").session = "old";  // says nothing of this session
    EXPECT_EQ(judge(session).signature->records, 16);
}

TEST(Judge, LockedIsGreenOnlyWhereItIsExpected) {
    Session session = sample::locked_session(3);
    EXPECT_EQ(judge(session).exit_code, exit_held);
    session.plan->expectation = Expectation::open;
    EXPECT_EQ(judge(session).exit_code, exit_refuted);
    Session open = sample::open_session(3);
    open.plan->expectation = Expectation::locked;
    EXPECT_EQ(judge(open).word, VerdictWord::open);
    EXPECT_EQ(judge(open).exit_code, exit_refuted);
}

TEST(Judge, AnyTraceOfASimulationIsShown) {
    Session session = sample::open_session(2);
    EXPECT_FALSE(judge(session).simulated);
    session.records.back().simulated = "open-x2";
    EXPECT_EQ(judge(session).simulated, "open-x2");
    Session nothing_ran = sample::open_session(2);
    nothing_ran.plan->simulated = "open-x2";
    nothing_ran.records.clear();
    EXPECT_EQ(judge(nothing_ran).simulated, "open-x2");
    session.plan.reset();
    EXPECT_EQ(judge(session).simulated, "open-x2");
}

TEST(Judge, EveryReasonIsListed) {
    Session session = sample::open_session(3);
    session.plan->gpus_wanted = 8;
    observe(session, "control.positive.gpu0", Outcome::wrong);
    observe(session, "core.copy.gpu0_to_gpu1", Outcome::inconclusive);
    remove_record(session, "core.read.gpu0_to_gpu1");
    std::vector<std::string> kinds;
    for (const Reason& reason : judge(session).reasons) kinds.push_back(reason.kind);
    EXPECT_EQ(kinds, (std::vector<std::string>{"control", "gpus", "missing", "inconclusive"}));
}

TEST(Judge, AnEmptySession) {
    const Verdict verdict = judge(Session{});
    EXPECT_EQ(verdict.word, VerdictWord::no_verdict);
    EXPECT_EQ(verdict.reasons.size(), 1u);
}

}  // namespace
}  // namespace peerproof
