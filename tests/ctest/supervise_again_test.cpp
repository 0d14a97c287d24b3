// A core check that is asked again at the end: supervise decides by the records whether it has anything to ask, once a
// session, and starts nothing where it has not.
#include "session/plan_parts.hpp"
#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

constexpr const char *again = "again.read.gpu0_to_gpu1", *again_back = "again.read.gpu1_to_gpu0";

class SuperviseAgain : public SuperviseRun {
  protected:
    void SetUp() override {
        for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
            const Case* asked = plan.find(std::string("core.read.") + place);
            Case one =
                sample::make_case(std::string("again.read.") + place, Family::again, "read", asked->gpus);
            one.accepted.push_back(Outcome::not_applicable);
            plan.cases.push_back(one);
        }
        SuperviseRun::SetUp();
    }
    void came_to(const char* id, Outcome outcome, const std::string& session = "") const {
        Record of_case = started_record(plan, *plan.find(id));
        of_case.finished = true;
        of_case.outcome = outcome;
        if (outcome != Outcome::hung) of_case.exit_code = outcome == Outcome::delivered ? 0 : 1;
        if (!session.empty()) of_case.session = session;
        write_file_atomically(record_file(id), to_json(of_case).dump());
    }
    Ran ask(const char* id) {
        return run(id, "touch " + shell_quoted(folder / "ran") + "; " + send(id, Outcome::delivered));
    }
    bool ran() const { return std::filesystem::exists(folder / "ran"); }
};

TEST_F(SuperviseAgain, TheFirstPairIsAlwaysAsked) {
    came_to(core, Outcome::delivered);
    came_to(back, Outcome::delivered);
    EXPECT_EQ(ask(again).code, 0);
    EXPECT_TRUE(ran());
    EXPECT_EQ(record(again).outcome, Outcome::delivered);
}

TEST_F(SuperviseAgain, WhereNothingFailedNothingElseIsStarted) {
    came_to(core, Outcome::delivered);
    came_to(back, Outcome::delivered);
    EXPECT_EQ(ask(again_back).code, 77);
    EXPECT_FALSE(ran());
    EXPECT_EQ(record(again_back).outcome, Outcome::not_applicable);
    EXPECT_EQ(record(again_back).summary, "not asked again: nothing failed on its GPUs");
}

TEST_F(SuperviseAgain, WhereACheckFailedItsGpusAreAskedAgain) {
    came_to(core, Outcome::delivered);
    came_to(back, Outcome::wrong);
    EXPECT_EQ(ask(again_back).code, 0);
    EXPECT_TRUE(ran());
}

// The part of the plan that a case reads has nothing of the GPU whose check failed.
TEST_F(SuperviseAgain, WhatFailedMayBeOfAnotherGpu) {
    plan.gpus.push_back({2, "GPU-00000002", "0000:02:00.0", "GPU", 64, "9.0"});
    plan.cases.push_back(sample::make_case("core.read.gpu2_to_gpu1", Family::core, "read", {2, 1}));
    const std::string text = to_json(plan).dump();
    write_file_atomically(folder / "plan.json", text);
    write_parts(plan, folder, text.size());
    came_to(core, Outcome::delivered);
    came_to(back, Outcome::delivered);
    came_to("core.read.gpu2_to_gpu1", Outcome::wrong);
    EXPECT_EQ(ask(again_back).code, 0);
    EXPECT_TRUE(ran());
}

// What the first decided holds for all: a record that comes later changes nothing.
TEST_F(SuperviseAgain, IsDecidedOnce) {
    came_to(core, Outcome::delivered);
    came_to(back, Outcome::delivered);
    EXPECT_EQ(ask(again).code, 0);
    came_to(back, Outcome::wrong);
    EXPECT_EQ(ask(again_back).code, 77);
}

TEST_F(SuperviseAgain, ARecordOfAnotherSessionSaysNothing) {
    came_to(core, Outcome::delivered);
    came_to(back, Outcome::wrong, "20200101T000000Z-000000");
    EXPECT_EQ(ask(again_back).code, 77);
}

TEST_F(SuperviseAgain, ABrokenRecordSaysNothing) {
    came_to(core, Outcome::delivered);
    write_file_atomically(record_file(back), "{");
    EXPECT_EQ(ask(again_back).code, 77);
}

// Each would cost a deadline once more.
TEST_F(SuperviseAgain, APathThatHungIsNotAskedAgain) {
    came_to(core, Outcome::hung);
    EXPECT_EQ(ask(again).code, 77);
    EXPECT_FALSE(ran());
    EXPECT_EQ(record(again).outcome, Outcome::not_started);
}

}  // namespace
}  // namespace peerproof::supervise
