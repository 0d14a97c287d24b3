// A case of a GPU whose control did not hold in this session is not started, however ctest was called.
#include "session/plan_parts.hpp"
#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

class SuperviseControls : public SuperviseRun {
  protected:
    Ran run_core() {
        return run(core, "touch " + shell_quoted(folder / "ran") + "; " + send(core, Outcome::delivered));
    }
    bool ran() const { return std::filesystem::exists(folder / "ran"); }
};

TEST_F(SuperviseControls, AControlThatHeldLetsTheCaseRun) {
    EXPECT_EQ(run_core().code, 0);
    EXPECT_TRUE(ran());
}

TEST_F(SuperviseControls, AControlThatDidNotHoldKeepsItFromStarting) {
    control_came_to(Outcome::wrong);
    const Ran ended = run_core();
    EXPECT_EQ(ended.code, 75) << ended.output;
    EXPECT_FALSE(ran());
    EXPECT_EQ(record(core).outcome, Outcome::inconclusive);
    EXPECT_TRUE(
        holds(record(core).summary, "not started: control.alive.gpu0 did not hold in this session: wrong"));
}

TEST_F(SuperviseControls, TheControlsOfBothGpusAreAsked) {
    plan.cases.push_back(sample::make_case("control.alive.gpu1", Family::control, "alive", {1}));
    write_file_atomically(folder / "plan.json", to_json(plan).dump());
    EXPECT_EQ(run_core().code, 75);
    EXPECT_FALSE(ran());
    EXPECT_TRUE(holds(record(core).summary, "control.alive.gpu1 has no record in this session"));
}

// Whether a case may start is asked of the part of its GPUs, which is of the plan.json beside it or nothing.
TEST_F(SuperviseControls, ThePartOfThePlanIsRead) {
    plan.gpus.push_back({2, "GPU-00000002", "0000:02:00.0", "GPU", 64, "9.0"});
    plan.cases.push_back(sample::make_case("control.alive.gpu1", Family::control, "alive", {1}));
    const std::string text = to_json(plan).dump();
    write_parts(plan, folder, text.size());
    write_file_atomically(folder / "plan.json", std::string(text.size(), ' '));
    EXPECT_EQ(run_core().code, 75);
    EXPECT_FALSE(ran());
    EXPECT_TRUE(holds(record(core).summary, "control.alive.gpu1 has no record in this session"));
    write_file_atomically(folder / "plan.json", std::string(text.size() + 1, ' '));
    const Ran ended = run_core();
    EXPECT_EQ(ended.code, 75);
    EXPECT_TRUE(holds(ended.output, "is a part of another plan")) << ended.output;
}

TEST_F(SuperviseControls, AControlWithoutARecordIsNone) {
    std::filesystem::remove(record_file(control));
    EXPECT_EQ(run_core().code, 75);
    EXPECT_TRUE(holds(record(core).summary, "control.alive.gpu0 has no record in this session"));
    EXPECT_EQ(run(evidence, "true").code,
              75);  // evidence gates nothing, and yet says nothing without controls
    EXPECT_FALSE(ran());
}

TEST_F(SuperviseControls, AControlOfAnEarlierSessionIsNone) {
    control_came_to(Outcome::delivered, "20200101T000000Z-000000");
    EXPECT_EQ(run_core().code, 75);
    EXPECT_FALSE(ran());
}

TEST_F(SuperviseControls, ABrokenRecordOfAControlIsNone) {
    write_file_atomically(record_file(control), "{");
    EXPECT_EQ(run_core().code, 75);
    EXPECT_FALSE(ran());
}

TEST_F(SuperviseControls, AControlNeedsNoControl) {
    std::filesystem::remove(record_file(control));
    EXPECT_EQ(run(control, send(control, Outcome::delivered)).code, 0);
}

}  // namespace
}  // namespace peerproof::supervise
