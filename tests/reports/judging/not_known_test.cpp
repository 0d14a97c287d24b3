// What began and has no end, what was never started, what could not be set up, and GPUs that went away: none
// of it is open, and none of it accuses a pair.
#include "reports/judging/not_known.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "reports/judging/judge.hpp"
#include "reports/writing/junit_report.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::observe;
using sample::record;
using sample::remove_record;

constexpr VerdictWord none = VerdictWord::no_verdict;
constexpr const char *sum = "collective.all_reduce.gpu0_gpu1",
                     *measurement = "measurement.read_bandwidth.gpu0_to_gpu1",
                     *evidence = "evidence.staged_copy.gpu0_to_gpu1", *closing = "closing.still_there.gpu1";

// A session of two GPUs with every family, and evidence that gates.
Session whole() {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    sample::add_collective(session);
    sample::add_closing(session);
    for (Case& one : session.plan->cases) {
        if (one.family == Family::evidence) one.gates = true;
    }
    return session;
}

void end_undecided(Session& session, const char* id, const char* diagnosis) {
    Record& one = record(session, id);
    one.outcome = Outcome::inconclusive;
    one.exit_code = 1;
    one.steps = {{.name = "set-up", .outcome = Outcome::inconclusive, .diagnosis = diagnosis}};
    one.summary = "set-up: the GPU is lost";
}

struct Row {
    const char* name;
    std::function<void(Session&)> spoil;
    VerdictWord word;
    const char* reason;  // in one of the reasons
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const Row table[] = {
    {"Whole", [](Session&) {}, VerdictWord::open, "the owner saw it"},
    {"EvidenceNotApplicable",
     [](Session& s) {
         observe(s, evidence, Outcome::not_applicable);
         sample::planned(s, evidence).accepted.push_back(Outcome::not_applicable);
     },
     VerdictWord::open, "the owner saw it"},
    {"EvidenceNotApplicableUnasked", [](Session& s) { observe(s, evidence, Outcome::not_applicable); },
     VerdictWord::open, "the owner saw it"},
    {"CoreNotApplicable", [](Session& s) { observe(s, "core.read.gpu0_to_gpu1", Outcome::not_applicable); },
     none, "core.read.gpu0_to_gpu1"},
    {"SumOnlyStarted", [](Session& s) { record(s, sum).finished = false; }, none,
     "ended together with its supervisor: collective.all_reduce.gpu0_gpu1"},
    {"MeasurementOnlyStarted", [](Session& s) { record(s, measurement).finished = false; }, none,
     "ended together with its supervisor: measurement.read_bandwidth.gpu0_to_gpu1"},
    {"EvidenceOnlyStarted", [](Session& s) { record(s, evidence).finished = false; }, none,
     "ended together with its supervisor: evidence.staged_copy.gpu0_to_gpu1"},
    {"ClosingOnlyStarted", [](Session& s) { record(s, closing).finished = false; }, none,
     "nobody knows whether gpu1 (0000:02:00.0, GPU-00000001-0000-0000-0000-000000000000) is still there"},
    {"InformationOnlyStarted",
     [](Session& s) { record(s, "collective.all_reduce_by_default.bench").finished = false; },
     VerdictWord::open, ""},
    {"SumMissing", [](Session& s) { remove_record(s, sum); }, none,
     "1 of 2 cases of the family collective that gate ran; never started: collective.all_reduce.gpu0_gpu1"},
    {"MeasurementMissing", [](Session& s) { remove_record(s, measurement); }, none,
     "never started: measurement.read_bandwidth"},
    {"EvidenceMissing", [](Session& s) { remove_record(s, evidence); }, none, "never started: evidence."},
    {"InformationMissing",
     [](Session& s) { remove_record(s, "measurement.staged_copy_bandwidth.gpu0_to_gpu1"); },
     VerdictWord::open, ""},
    {"ClosingMissing", [](Session& s) { remove_record(s, closing); }, none,
     "never asked at the end of the session, so that nobody knows whether gpu1 (0000:02:00.0"},
    {"ClosingRefused", [](Session& s) { observe(s, closing, Outcome::refused); }, none,
     "gpu1 (0000:02:00.0, GPU-00000001-0000-0000-0000-000000000000) did not answer at the end of the "
     "session"},
    {"ClosingInconclusive", [](Session& s) { observe(s, closing, Outcome::inconclusive); }, none,
     "closing.still_there.gpu1 is inconclusive"},
    {"ClosingNotStarted", [](Session& s) { observe(s, closing, Outcome::not_started); }, none,
     "closing.still_there.gpu1 is not_started"},
    {"MeasurementNotSetUp", [](Session& s) { end_undecided(s, measurement, "not set up"); }, none,
     "on GPUs that had answered: could not be set up (set-up: the GPU is lost): "
     "measurement.read_bandwidth.gpu0_to_gpu1; with gpu0 (0000:01:00.0, "},
    {"MeasurementsNotSetUpNameTheGpuInCommon",
     [](Session& s) {
         for (const char* id : {measurement, "measurement.read_bandwidth.gpu1_to_gpu0", sum})
             end_undecided(s, id, "not set up");
         s.plan->gpus[1].bus_id = "0000:c1:00.0";
     },
     none, "gpu1 (0000:c1:00.0"},
    {"MeasurementThatWasOnlySlow", [](Session& s) { end_undecided(s, measurement, "slow"); },
     VerdictWord::open, ""},
    {"MeasurementThatSaysNothing",
     [](Session& s) {
         end_undecided(s, measurement, "");
         record(s, measurement).steps.clear();
     },
     none, measurement},
    {"MeasurementThatWasInterrupted",
     [](Session& s) {
         end_undecided(s, measurement, "slow");
         record(s, measurement).exit_code.reset();
     },
     none, measurement},
    {"SumNotSetUp", [](Session& s) { end_undecided(s, sum, "not set up"); }, none, sum},
    {"SumWithoutItsControl",
     [](Session& s) {
         observe(s, "collective.all_reduce_without_p2p.bench", Outcome::hung);
         end_undecided(s, sum, "not set up");
     },
     VerdictWord::open, ""},
    {"SumOfAnUnknownPath", [](Session& s) { end_undecided(s, sum, "path unknown"); }, VerdictWord::open, ""},
    {"EvidenceNotSetUp", [](Session& s) { end_undecided(s, evidence, "not set up"); }, none, evidence},
    {"EvidenceWrong", [](Session& s) { observe(s, evidence, Outcome::wrong); }, VerdictWord::suspect,
     "staged copy: wrong"},
    {"EvidenceHung", [](Session& s) { observe(s, evidence, Outcome::hung); }, VerdictWord::suspect,
     "staged copy: hung"},
    {"EvidenceThatIsInformation",
     [](Session& s) {
         sample::planned(s, evidence).gates = false;
         observe(s, evidence, Outcome::wrong);
     },
     VerdictWord::open, ""},
    {"EvidenceThatHoldsOtherwise",
     [](Session& s) {
         sample::planned(s, evidence).accepted = {Outcome::refused};
         observe(s, evidence, Outcome::refused);
     },
     VerdictWord::open, ""},
    {"EvidenceThatOnlyALockedBenchMayGive",
     [](Session& s) {
         s.plan->expectation = Expectation::locked;
         sample::planned(s, evidence).accepted = {Outcome::refused};
         observe(s, evidence, Outcome::refused);
     },
     VerdictWord::suspect, "staged copy: refused"},
    {"MeasurementNotStarted", [](Session& s) { observe(s, measurement, Outcome::not_started); }, none,
     "beside the core: not started (ended: not_started): measurement.read_bandwidth.gpu0_to_gpu1"},
    {"MeasurementNotStartedBecauseOneHung",
     [](Session& s) {
         observe(s, measurement, Outcome::not_started);
         observe(s, "measurement.write_bandwidth.gpu0_to_gpu1", Outcome::hung);
     },
     VerdictWord::suspect, "write_bandwidth is hung"},
    {"CoreNotStarted", [](Session& s) { observe(s, "core.read.gpu0_to_gpu1", Outcome::not_started); }, none,
     "not started (ended: not_started): core.read.gpu0_to_gpu1; with gpu0 ("},
    {"CoreNotStartedIsNotPartial",
     [](Session& s) {
         observe(s, "core.read.gpu0_to_gpu1", Outcome::not_started);
         observe(s, "core.write.gpu0_to_gpu1", Outcome::illegal_address);
     },
     none, "not started"},
    {"CoreNotStartedBecauseOneHung",
     [](Session& s) {
         observe(s, "core.read.gpu0_to_gpu1", Outcome::not_started);
         observe(s, "core.write.gpu0_to_gpu1", Outcome::hung);
         observe(s, closing, Outcome::not_started);
     },
     VerdictWord::hung,
     "core.write.gpu0_to_gpu1 hung first: 1 of 6 core checks did not end by themselves, and 1 are not known "
     "since"},
    {"CoreNotStartedAndOneSilent",
     [](Session& s) {
         observe(s, "core.read.gpu0_to_gpu1", Outcome::not_started);
         observe(s, "core.write.gpu0_to_gpu1", Outcome::missing);
     },
     VerdictWord::silent, "the bytes are not there"},
};

class NotKnown : public testing::TestWithParam<Row> {};

TEST_P(NotKnown, IsNeitherOpenNorAnAccusation) {
    Session session = whole();
    GetParam().spoil(session);
    const Verdict verdict = judge(session);
    std::string all;
    for (const Reason& reason : verdict.reasons) all += reason.kind + ": " + reason.text + "\n";
    EXPECT_EQ(to_string(verdict.word), to_string(GetParam().word)) << all;
    EXPECT_NE(all.find(GetParam().reason), std::string::npos) << all;
    // Whoever reads the JUnit file alone sees no green either, and the case itself is red where it is the
    // reason.
    const std::string junit = junit_report(verdict, session);
    const bool green =
        junit.find("<error") == std::string::npos && junit.find("<failure") == std::string::npos;
    EXPECT_EQ(green, verdict.exit_code == 0);
}

INSTANTIATE_TEST_SUITE_P(Table, NotKnown, testing::ValuesIn(table),
                         [](const auto& row) { return row.param.name; });

TEST(NotKnownInJunit, IsAnErrorWhereItIsTheReasonAndAFindingElse) {
    for (const auto& [diagnosis, red] : {std::pair{"not set up", true}, std::pair{"slow", false}}) {
        Session session = whole();
        end_undecided(session, measurement, diagnosis);
        const std::string junit = junit_report(judge(session), session);
        EXPECT_EQ(junit.find("<error type=\"inconclusive\"") != std::string::npos, red) << diagnosis;
        EXPECT_EQ(junit.find("FINDING inconclusive") != std::string::npos, !red) << diagnosis;
    }
}

TEST(NotKnownSignature, CountsWhatWasSeenToFailAndWhatNobodyKnows) {
    Session session = sample::open_session(3);
    observe(session, "core.write.gpu1_to_gpu0", Outcome::hung);
    for (const char* id : {"core.read.gpu0_to_gpu1", "core.read.gpu0_to_gpu2", "core.copy.gpu0_to_gpu1"})
        observe(session, id, Outcome::not_started);
    observe(session, "core.copy.gpu1_to_gpu2", Outcome::inconclusive);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.signature->text(), "pairs=6 checks=18 failures=1 not_known=4");
    EXPECT_EQ(verdict.failing, std::vector<std::string>{"core.write.gpu1_to_gpu0"});
    EXPECT_EQ(verdict.common_factor, "gpu1_to_gpu0 alone; its reverse holds; writes only");
}

TEST(HungFirst, IsTheOneThatStartedFirstAndThenTheFirstOfThePlan) {
    Session session = sample::open_session(3);
    for (const char* id : {"core.read.gpu0_to_gpu1", "core.write.gpu1_to_gpu2", "core.copy.gpu2_to_gpu0"})
        observe(session, id, Outcome::hung);
    record(session, "core.read.gpu0_to_gpu1").started = "2026-12-01T05:15:09Z";
    record(session, "core.write.gpu1_to_gpu2").outcome = Outcome::crashed;
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.reasons.front().text,
              "core.write.gpu1_to_gpu2 crashed first: 3 of 18 core checks did not end by themselves; then "
              "core.copy.gpu2_to_gpu0, core.read.gpu0_to_gpu1");
}

TEST(AClosedBench, WhoseMeasurementCannotBeSetUpIsNotCalledLocked) {
    Session session = sample::locked_session(2);
    sample::add_measurements(session);
    sample::add_closing(session);
    ASSERT_EQ(judge(session).word, VerdictWord::locked);
    end_undecided(session, measurement, "not set up");
    EXPECT_EQ(judge(session).word, none);
}

TEST(APlanOfVersionTwo, HasNoClosingAndIsJudgedAsBefore) {
    EXPECT_EQ(judge(sample::open_session(3)).word, VerdictWord::open);
}

}  // namespace
}  // namespace peerproof
