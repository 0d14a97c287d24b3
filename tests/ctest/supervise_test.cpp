// What supervise makes of checks that end by themselves.
#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

class Supervise : public SuperviseRun {};

TEST_F(Supervise, KeepsTheRecordOfACheckThatHeld) {
    const auto ran = run(core, "echo working; " + send(core, Outcome::delivered) + "exit 0");
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_TRUE(holds(ran.output, "working\ncore.read.gpu0_to_gpu1: delivered in 0.")) << ran.output;
    EXPECT_FALSE(holds(ran.output, "by hand"));
    const auto seen = record(core);
    EXPECT_TRUE(seen.finished);
    EXPECT_EQ(seen.outcome, Outcome::delivered);
    EXPECT_EQ(seen.exit_code, 0);
    EXPECT_EQ(seen.log, "working\n");
    EXPECT_FALSE(seen.started.empty());
    EXPECT_TRUE(holds(log(core), "working\n"));
}

TEST_F(Supervise, SaysHowToRunARefutedCheckByHand) {
    const auto ran = run(core, send(core, Outcome::illegal_address) + "exit 1");
    EXPECT_EQ(ran.code, 1);
    EXPECT_TRUE(holds(ran.output, "illegal_address (expected delivered)")) << ran.output;
    EXPECT_TRUE(holds(ran.output, "\nby hand: ")) << ran.output;
    EXPECT_EQ(record(core).outcome, Outcome::illegal_address);
}

TEST_F(Supervise, CallsACheckWithoutARecordCrashed) {
    EXPECT_EQ(run(core, "exit 0").code, 1);
    EXPECT_EQ(record(core).outcome, Outcome::crashed);
    EXPECT_TRUE(holds(record(core).summary, "without saying how its check ended"));
}

TEST_F(Supervise, KeepsTheTextThatIsNoRecordInTheLog) {
    EXPECT_EQ(run(core, "printf 'not \\377 a record' >&3").code, 1);
    EXPECT_EQ(record(core).outcome, Outcome::crashed);
    EXPECT_TRUE(holds(record(core).log, "instead of a record: not ? a record")) << record(core).log;
    EXPECT_EQ(run(core, "head -c 100 " + shell_quoted(folder / "plan.json") + " >&3").code, 1);
    EXPECT_TRUE(holds(record(core).log, "a record: {\"baseline\"")) << record(core).log;
}

TEST_F(Supervise, NamesTheSignal) {
    const auto ran = run(core, send(core, Outcome::delivered) + "kill -SEGV $$");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(record(core).outcome, Outcome::crashed);
    EXPECT_EQ(record(core).signal, SIGSEGV);
    EXPECT_TRUE(holds(ran.output, "ended by SIGSEGV")) << ran.output;
}

TEST_F(Supervise, RefusesTheRecordOfAnotherCase) {
    EXPECT_EQ(run(core, send(back, Outcome::delivered) + "exit 0").code, 75);
    EXPECT_EQ(record(core).outcome, Outcome::inconclusive);
    EXPECT_EQ(record(core).case_id, core);
}

TEST_F(Supervise, AControlRefutesAndEvidenceGatesNothing) {
    EXPECT_EQ(run(control, send(control, Outcome::inconclusive) + "exit 75").code, 1);
    control_came_to(Outcome::delivered);
    const auto ran = run(evidence, "kill -ABRT $$");
    EXPECT_EQ(ran.code, 0);
    EXPECT_TRUE(ran.output.starts_with("FINDING: evidence.")) << ran.output;
    EXPECT_EQ(record(evidence).outcome, Outcome::crashed);
}

TEST_F(Supervise, DoesNotStartWithoutThePlan) {
    std::filesystem::remove(folder / "plan.json");
    std::filesystem::remove_all(folder / "records");
    const auto ran = run(core, "touch " + shell_quoted(folder / "ran"));
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(
        holds(ran.output, "bench.open has not run in this session; was it stripped with -FS or -FA?"));
    EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
    EXPECT_FALSE(std::filesystem::exists(folder / "records"));
}

TEST_F(Supervise, DoesNotStartACaseThatIsNotPlanned) {
    const auto ran = run("core.read.gpu0_to_gpu7", "touch " + shell_quoted(folder / "ran"));
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(holds(ran.output, "does not contain core.read.gpu0_to_gpu7")) << ran.output;
    EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

TEST_F(Supervise, ReplacesTheRecordOfAnEarlierRun) {
    EXPECT_EQ(run(core, send(core, Outcome::delivered) + "exit 0").code, 0);
    const auto peek = folder / "peek.json";
    const auto script =
        "cp " + shell_quoted(record_file(core)) + " " + shell_quoted(peek) + "; kill -KILL $PPID";
    EXPECT_NE(run(core, script).code, 0);
    EXPECT_FALSE(read_record(peek).finished);  // while the check ran
    EXPECT_FALSE(record(core).finished);       // and after supervise itself was killed
    EXPECT_EQ(record(core).outcome, Outcome::crashed);
}

TEST_F(Supervise, SaysThatAProgramIsMissing) {
    const auto ran = shell(shell_quoted(PEERPROOF_SUPERVISE) + " --session-folder " + shell_quoted(folder) +
                           " --case " + core + " -- /does/not/exist");
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(holds(record(core).summary, "could not be started: No such file")) << record(core).summary;
}

TEST_F(Supervise, RefusesUnknownOptions) {
    const auto ran = run(core, "true", "--dealine 3");
    EXPECT_EQ(ran.code, 64);
    EXPECT_TRUE(holds(ran.output, "--dealine")) << ran.output;
}

TEST_F(Supervise, GivesTheCheckOnlyItsOwnDescriptors) {
    const auto script = "ls /proc/self/fd | tr '\\n' ' '; cat; " + send(core, Outcome::delivered) + "exit 0";
    const auto ran = shell("exec 5</dev/null 7</dev/null; " + line(core, script));
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_TRUE(ran.output.starts_with("0 1 2 3 4 ")) << ran.output;  // 4 is the folder that ls reads
    EXPECT_FALSE(ran.output.starts_with("0 1 2 3 4 5")) << ran.output;
}

TEST_F(Supervise, WorksWithoutStandardDescriptors) {
    const auto script = send(core, Outcome::delivered) + "exit 0";
    EXPECT_EQ(shell(line(core, script) + " <&- >&- 2>&-").code, 0);
    EXPECT_EQ(record(core).outcome, Outcome::delivered);
}

TEST_F(Supervise, PlainModePassesOutputAndExitCode) {
    const std::string supervise = shell_quoted(PEERPROOF_SUPERVISE) + " --grace 1 ";
    auto ran = shell(supervise + "--deadline 10 -- sh -c 'echo out; echo err >&2; exit 42'");
    EXPECT_EQ(ran.code, 42);
    EXPECT_EQ(ran.output, "out\nerr\n");
    ran = shell(supervise + "--deadline 0.2 -- sleep 20");
    EXPECT_EQ(ran.code, 124);
    EXPECT_TRUE(holds(ran.output, "the deadline passed"));
    ran = shell(supervise + "--deadline 0.2 -- " + shell_quoted(PEERPROOF_UNKILLABLE));
    EXPECT_EQ(ran.code, 125) << ran.output;
}

}  // namespace
}  // namespace peerproof::supervise
