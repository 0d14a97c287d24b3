// The table of ends: what a child sent and how it ended, what is recorded, what supervise exits with.
#include "ctest/supervise/decide.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/ctest/sample_plan.hpp"

namespace peerproof::supervise {
namespace {

using How = ChildEnd::How;

const Plan plan = sample::plan();
const Case& control = plan.cases[0];
const Case& core = plan.cases[1];
const Case& evidence = plan.cases[3];
const Case closing = sample::make_case("closing.still_there.gpu0", Family::closing, "still_there", {0});

std::string said(const Case& planned, Outcome outcome, const std::function<void(Record&)>& change = {}) {
    Record record = started_record(plan, planned);
    record.finished = true;
    record.outcome = outcome;
    record.summary = "as the child says";
    record.steps.resize(1);
    record.steps[0].name = "word";
    if (change) change(record);
    return to_json(record).dump();
}

struct Row {
    const char* name;
    const Case* planned;
    std::string text;
    How how;
    int code;
    Outcome outcome;
    int exit_code;
    const char* summary;  // a part of it
    std::size_t steps;
};

class Decide : public ::testing::TestWithParam<Row> {};

TEST_P(Decide, AsInTheTable) {
    const Row& row = GetParam();
    ChildEnd end;
    end.how = row.how;
    end.code = row.code;
    end.seconds = 1.5;
    end.record = row.text;
    const auto [record, text_unused] = decide(plan, *row.planned, end);
    EXPECT_EQ(to_string(record.outcome), to_string(row.outcome)) << record.summary;
    EXPECT_EQ(exit_code_of(*row.planned, record.outcome, end), row.exit_code);
    EXPECT_NE(record.summary.find(row.summary), std::string::npos) << record.summary;
    EXPECT_EQ(record.steps.size(), row.steps);
    EXPECT_TRUE(record.finished);
    EXPECT_EQ(record.case_id, row.planned->id);
    EXPECT_EQ(record.session, plan.session);
    EXPECT_EQ(record.exit_code.has_value(), row.how == How::exited);
    EXPECT_EQ(record.signal.has_value(), row.how == How::signalled);
    EXPECT_EQ(text_unused, !row.text.empty() && row.steps == 0);
}

constexpr auto held = Outcome::delivered;
constexpr auto shut = Outcome::illegal_address;
constexpr auto lost = Outcome::inconclusive;
constexpr auto no = Outcome::not_applicable;
const auto change_case = [](Record& r) { r.case_id = "core.read.gpu1_to_gpu0"; };
const auto change_session = [](Record& r) { r.session = "yesterday"; };
const auto change_bench = [](Record& r) { r.simulated.reset(); };
const auto change_place = [](Record& r) { r.gpus = {1, 0}; };
const auto change_test = [](Record& r) { r.test = "Core/Read.Leaves/gpu0_to_gpu1"; };
const auto change_family = [](Record& r) { r.family = Family::measurement; };
const auto change_check = [](Record& r) { r.check = "write"; };
const auto unfinished = [](Record& r) { r.finished = false; };
// The owner looked and said so, and then the process went on.
const auto looked = [](Record& r) {
    r.finished = false;
    r.steps[0].outcome = r.outcome;
};

const Row rows[] = {
    {"held", &core, said(core, held), How::exited, 0, held, 0, "as the child says", 1},
    {"refuted", &core, said(core, shut), How::exited, 1, shut, 1, "as the child says", 1},
    {"undecided", &core, said(core, lost), How::exited, 75, lost, 75, "as the child says", 1},
    {"control_held", &control, said(control, held), How::exited, 0, held, 0, "", 1},
    {"control_refuted", &control, said(control, shut), How::exited, 1, shut, 1, "", 1},
    {"control_undecided", &control, said(control, lost), How::exited, 75, lost, 1, "", 1},
    {"control_hung", &control, "", How::hung, 0, Outcome::hung, 1, "deadline passed", 0},
    {"finding", &evidence, said(evidence, shut), How::exited, 1, shut, 0, "", 1},
    {"finding_crashed", &evidence, "", How::signalled, 11, Outcome::crashed, 0, "SIGSEGV", 0},
    {"not_applicable", &evidence, said(evidence, lost), How::exited, 77, lost, 77, "", 1},
    {"says_not_applicable", &evidence, said(evidence, no), How::exited, 1, no, 77, "", 1},
    {"core_always_applies", &core, said(core, no), How::exited, 1, no, 75, "", 1},
    {"control_always_applies", &control, said(control, no), How::exited, 1, no, 1, "", 1},
    {"core_never_skips", &core, said(core, lost), How::exited, 77, lost, 75, "", 1},
    {"held_but_exit_1", &core, said(core, held), How::exited, 1, lost, 75, "contradict", 1},
    {"refuted_but_exit_0", &core, said(core, shut), How::exited, 0, lost, 75, "contradict", 1},
    {"no_record", &core, "", How::exited, 0, Outcome::crashed, 1, "without saying", 0},
    {"no_record_exit_1", &core, "", How::exited, 1, Outcome::crashed, 1, "exit code 1", 0},
    {"no_record_usage", &core, "", How::exited, 64, lost, 75, "not valid", 0},
    {"no_record_stale_list", &core, "", How::exited, 70, lost, 75, "no check was selected", 0},
    {"no_record_no_setup", &core, "", How::exited, 75, lost, 75, "could not be set up", 0},
    {"garbage", &core, "hello", How::exited, 0, Outcome::crashed, 1, "not JSON", 0},
    {"truncated", &core, said(core, held).substr(0, 60), How::exited, 0, Outcome::crashed, 1, "not JSON", 0},
    {"twice", &core, said(core, held) + said(core, held), How::exited, 0, Outcome::crashed, 1, "not JSON", 0},
    {"other_schema", &core, R"({"schema":"x/1"})", How::exited, 0, Outcome::crashed, 1, "schema", 0},
    {"unfinished", &core, said(core, held, unfinished), How::exited, 0, Outcome::crashed, 1, "not finished",
     1},
    {"as_it_grows", &core, said(core, shut, unfinished) + "\n" + said(core, held) + "\n", How::exited, 0,
     held, 0, "as the child says", 1},
    {"grown_and_cut", &core, said(core, held) + "\n" + said(core, shut).substr(0, 60), How::exited, 0, held,
     0, "as the child says", 1},
    {"hung_on_the_way", &core, said(core, held, unfinished) + "\n", How::hung, 0, Outcome::hung, 124,
     "before: ", 1},
    {"other_case", &core, said(core, held, change_case), How::exited, 0, lost, 75, "of case", 0},
    {"other_session", &core, said(core, held, change_session), How::exited, 0, lost, 75, "of session", 0},
    {"other_bench", &core, said(core, held, change_bench), How::exited, 0, lost, 75, "(real)", 0},
    {"other_place", &core, said(core, held, change_place), How::exited, 0, lost, 75, "gpu1_to_gpu0", 0},
    {"other_test", &core, said(core, held, change_test), How::exited, 0, lost, 75, "of test", 0},
    {"other_family", &core, said(core, held, change_family), How::exited, 0, lost, 75, "of family", 0},
    {"other_check", &core, said(core, held, change_check), How::exited, 0, lost, 75, "of check", 0},
    {"signal", &core, "", How::signalled, 11, Outcome::crashed, 1, "ended by SIGSEGV", 0},
    {"signal_late", &core, said(core, held), How::signalled, 6, Outcome::crashed, 1, "before: ", 1},
    {"hung", &core, "", How::hung, 0, Outcome::hung, 124, "deadline passed", 0},
    {"hung_late", &core, said(core, held), How::hung, 0, Outcome::hung, 124, "before: ", 1},
    {"seen_missing_then_hung", &core, said(core, Outcome::missing, looked), How::hung, 0, Outcome::missing, 1,
     "as the child says; then killed after 1.5 s: the deadline passed", 1},
    {"seen_wrong_then_crashed", &core, said(core, Outcome::wrong, looked), How::signalled, 11, Outcome::wrong,
     1, "; then ended by SIGSEGV", 1},
    {"seen_missing_then_unkillable", &core, said(core, Outcome::missing, looked), How::unkillable, 0,
     Outcome::missing, 1, "; then given up", 1},
    {"said_missing_and_no_step_saw_it", &core, said(core, Outcome::missing, unfinished), How::hung, 0,
     Outcome::hung, 124, "before: ", 1},
    {"control_seen_wrong_then_hung", &control, said(control, Outcome::wrong, looked), How::hung, 0,
     Outcome::hung, 1, "before: ", 1},
    {"closing_held", &closing, said(closing, held), How::exited, 0, held, 0, "", 1},
    {"closing_undecided", &closing, said(closing, lost), How::exited, 75, lost, 75, "", 1},
    {"closing_never_skips", &closing, said(closing, lost), How::exited, 77, lost, 75, "", 1},
    {"unkillable", &core, "", How::unkillable, 0, Outcome::unkillable, 125, "given up", 0},
    {"interrupted", &core, said(core, held), How::interrupted, 15, lost, 75, "interrupted by SIGTERM", 1},
    {"evidence_interrupted", &evidence, "", How::interrupted, 2, lost, 75, "interrupted by SIGINT", 0},
    {"no_program", &core, "", How::not_started, 2, lost, 75, "No such file", 0},
};

INSTANTIATE_TEST_SUITE_P(Ends, Decide, ::testing::ValuesIn(rows),
                         [](const auto& row) { return std::string{row.param.name}; });

TEST(Decide, ALockedBenchIsHeldWhenItIsShut) {
    Case locked = core;
    locked.accepted = {Outcome::illegal_address, Outcome::refused};
    ChildEnd end;
    end.record = said(core, Outcome::illegal_address);
    const auto decision = decide(plan, locked, end);
    EXPECT_EQ(decision.record.outcome, Outcome::illegal_address);
    EXPECT_EQ(exit_code_of(locked, decision.record.outcome, end), 0);
}

TEST(ExitCode, OfEvidenceThatGatesIsThatOfAnyCase) {
    Case gating = evidence;
    gating.gates = true;
    ChildEnd end;
    end.code = 1;
    EXPECT_EQ(exit_code_of(gating, Outcome::wrong, end), 1);
    EXPECT_EQ(exit_code_of(gating, Outcome::hung, end), 124);
    EXPECT_EQ(exit_code_of(gating, Outcome::inconclusive, end), 77);
    EXPECT_EQ(exit_code_of(evidence, Outcome::wrong, end), 0);
    // Its claim accepts that, and ctest must not call it passed.
    gating.accepted.push_back(Outcome::not_applicable);
    EXPECT_EQ(exit_code_of(gating, Outcome::not_applicable, end), 77);
}

// NCCL takes the capability bit's word: the all-reduce has decided nothing, neither passed nor failed.
TEST(ExitCode, OfASumThatTheBitForbade) {
    Case sum = core;
    sum.family = Family::collective;
    Record record;
    record.family = Family::collective;
    record.outcome = Outcome::refused;
    record.hints = {{"can_access_peer", 0, 1, "0"}};
    ChildEnd end;
    end.code = 1;
    EXPECT_EQ(exit_code_of(sum, record, end), 77);
    record.outcome = Outcome::wrong;
    EXPECT_EQ(exit_code_of(sum, record, end), 1);
    record.outcome = Outcome::refused;
    record.hints[0].value = "1";
    EXPECT_EQ(exit_code_of(sum, record, end), 1);
}

TEST(Decide, ARecordThatWasCutIsNone) {
    ChildEnd end;
    end.record = said(core, Outcome::delivered);
    end.record_cut = true;
    EXPECT_EQ(decide(plan, core, end).record.outcome, Outcome::crashed);
}

// Of a case that was not started nothing is known: it is no failure, and nowhere green.
TEST(Decide, ACaseThatWasNotStartedIsNeverGreen) {
    const auto record = not_started_record(plan, core, "gpu1 has not answered since core.x hung");
    EXPECT_EQ(record.summary, "not started: gpu1 has not answered since core.x hung");
    EXPECT_EQ(record.outcome, Outcome::not_started);
    EXPECT_TRUE(record.finished);
    const Case measurement =
        sample::make_case("measurement.x.gpu0_to_gpu1", Family::measurement, "x", {0, 1});
    const auto code = [](const Case& one) { return exit_code_of(one, Outcome::not_started, ChildEnd{}); };
    EXPECT_EQ(code(core), 75);
    EXPECT_EQ(code(closing), 75);
    EXPECT_EQ(code(control), 1);
    EXPECT_EQ(code(measurement), 77);
    EXPECT_EQ(code(evidence), 77);
}

TEST(Decide, ARecordTellsHowItsProcessBrokeOff) {
    Record record = started_record(plan, core);
    EXPECT_EQ(how_it_broke_off(record), "");  // still running, or supervise was ended
    record.finished = true;
    const auto how = [&](Outcome outcome) {
        record.outcome = outcome;
        return how_it_broke_off(record);
    };
    EXPECT_EQ(how(Outcome::hung), "hung");
    EXPECT_EQ(how(Outcome::crashed), "crashed");
    EXPECT_EQ(how(Outcome::unkillable), "could not be killed");
    EXPECT_EQ(how(Outcome::not_started), "");
    EXPECT_EQ(how(Outcome::inconclusive), "");
    EXPECT_EQ(how(Outcome::missing), "hung");
    record.signal = 11;
    EXPECT_EQ(how(Outcome::wrong), "crashed");
    record.signal.reset();
    record.exit_code = 1;
    EXPECT_EQ(how(Outcome::missing), "");
}

}  // namespace
}  // namespace peerproof::supervise
