// What supervise makes of checks that do not end, or leave something behind.
#include <signal.h>

#include <thread>

#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

class SuperviseEnd : public SuperviseRun {
  protected:
    // The process whose id a check wrote to `file`, once it is gone.
    bool gone(const char* file) const {
        std::ifstream stream{folder / file};
        int process = 0;
        stream >> process;
        if (process <= 0) return false;
        for (int turn = 0; turn < 100; ++turn) {
            if (::kill(process, 0) != 0) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
        return false;
    }
    std::string note(const char* file) const { return "echo $! >" + shell_quoted(folder / file) + "; "; }
    std::string interrupted(const std::string& script, const char* signal) const {
        return "( " + line(core, script) + " ) & sleep 0.4; kill -" + signal + " $(cat " +
               shell_quoted(folder / "supervise") + "); wait $!";
    }
};

TEST_F(SuperviseEnd, AHangIsKilledWithItsGroup) {
    const auto ran = run(core, "echo stuck; sleep 30 & " + note("child") + "sleep 30", "--deadline 0.4");
    EXPECT_EQ(ran.code, 124) << ran.output;
    EXPECT_LT(ran.seconds, 3);
    EXPECT_EQ(record(core).outcome, Outcome::hung);
    EXPECT_LT(record(core).seconds, 1);  // the deadline is the one that was asked for
    EXPECT_EQ(record(core).log, "stuck\n");
    EXPECT_TRUE(gone("child"));
}

TEST_F(SuperviseEnd, AHangAfterTheRecordKeepsWhatWasSaid) {
    EXPECT_EQ(run(core, send(core, Outcome::delivered) + "echo >&3; exec sleep 30", "--deadline 0.4").code,
              124);
    EXPECT_TRUE(holds(record(core).summary, "before: ")) << record(core).summary;
}

TEST_F(SuperviseEnd, ACheckThatIgnoresSignalsIsKilledToo) {
    const auto ran = run(core, "trap '' TERM INT HUP; while :; do sleep 1; done", "--deadline 0.4");
    EXPECT_EQ(ran.code, 124);
    EXPECT_LT(ran.seconds, 3);
}

TEST_F(SuperviseEnd, AnOrphanThatHoldsThePipesIsEndedAndNotWaitedFor) {
    const auto script = "sleep 30 & " + note("one") + "setsid sleep 30 & " + note("two") +
                        send(core, Outcome::delivered) + "echo >&3; exit 0";
    const auto ran = run(core, script);
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_LT(ran.seconds, 2);
    EXPECT_TRUE(gone("one"));
    EXPECT_TRUE(gone("two"));  // outside the group
}

TEST_F(SuperviseEnd, AnUnkillableCheckIsGivenUpAndItsGpusAreQuarantined) {
    const auto child = "exec " + shell_quoted(PEERPROOF_UNKILLABLE);
    auto ran = run(core, child, "--deadline 0.5 --grace 0.5");
    EXPECT_EQ(ran.code, 125) << ran.output;
    EXPECT_LT(ran.seconds, 3);
    EXPECT_EQ(record(core).outcome, Outcome::unkillable);
    EXPECT_TRUE(std::filesystem::exists(folder / "quarantine" / plan.gpus[0].uuid));
    EXPECT_TRUE(std::filesystem::exists(folder / "quarantine" / plan.gpus[1].uuid));

    ran = run(back, "touch " + shell_quoted(folder / "ran"));
    EXPECT_EQ(ran.code, 75);
    EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
    EXPECT_EQ(record(back).outcome, Outcome::not_started);
    EXPECT_EQ(record(back).summary,
              std::string{"not started: gpu1 is in quarantine since "} + core + " could not be killed");
    EXPECT_TRUE(record(back).finished);
}

TEST_F(SuperviseEnd, AnInterruptedSuperviseSaysSo) {
    for (const char* signal : {"TERM", "HUP"}) {
        const auto script = "echo $PPID >" + shell_quoted(folder / "supervise") + "; sleep 30 & " +
                            note("child") + "sleep 30";
        const auto ran = shell(interrupted(script, signal));
        EXPECT_EQ(ran.code, 75) << ran.output;
        EXPECT_LT(ran.seconds, 3);
        EXPECT_EQ(record(core).outcome, Outcome::inconclusive);
        EXPECT_EQ(record(core).summary, std::string{"interrupted by SIG"} + signal);
        EXPECT_TRUE(gone("child"));
    }
}

TEST_F(SuperviseEnd, AKilledSuperviseTakesItsCheckWithIt) {
    const auto script = "echo $PPID >" + shell_quoted(folder / "supervise") + "; echo $$ >" +
                        shell_quoted(folder / "child") + "; exec sleep 30 >/dev/null 2>&1";
    shell(interrupted(script, "KILL"));
    EXPECT_TRUE(gone("child"));
}

// A case that failed by its own word, and may not be able to end: its record is on disk before it goes on.
TEST_F(SuperviseEnd, ARecordOfAFailureIsOnDiskBeforeTheChildIsTold) {
    const auto script = send(core, Outcome::hung) + "echo >&3; head -c 1 <&3 >/dev/null; cp " +
                        shell_quoted(record_file(core)) + " " + shell_quoted(folder / "seen.json") +
                        "; exec sleep 30";
    const auto ran = run(core, script, "--deadline 2");
    EXPECT_EQ(ran.code, 124) << ran.output;
    const Record seen = read_record(folder / "seen.json");
    EXPECT_TRUE(seen.finished);
    EXPECT_EQ(seen.outcome, Outcome::hung);
    EXPECT_EQ(seen.steps.at(0).name, "word");
    EXPECT_FALSE(seen.started.empty());
    EXPECT_EQ(record(core).outcome, Outcome::hung);
}

// Any other record is written at the end only.
TEST_F(SuperviseEnd, ARecordOfASuccessIsNotAnswered) {
    const auto script = send(core, Outcome::delivered) + "echo >&3; timeout 0.3 head -c 1 <&3 | wc -c >" +
                        shell_quoted(folder / "answered");
    EXPECT_EQ(run(core, script).code, 0);
    std::ifstream file(folder / "answered");
    int answered = -1;
    file >> answered;
    EXPECT_EQ(answered, 0);
}

}  // namespace
}  // namespace peerproof::supervise
