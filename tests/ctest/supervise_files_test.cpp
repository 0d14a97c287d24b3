// Much output, and folders that cannot be written.
#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

class SuperviseFiles : public SuperviseRun {};

TEST_F(SuperviseFiles, MuchOutputIsCutAndStopsNobody) {
    const auto ran = run(core, "head -c 5000000 /dev/zero | tr '\\0' x; echo end; " +
                                   send(core, Outcome::delivered) + "exit 0");
    EXPECT_EQ(ran.code, 0);
    EXPECT_LT(ran.output.size(), 1'100'000u);
    EXPECT_TRUE(holds(ran.output, "no more is copied"));
    EXPECT_LT(log(core).size(), 1'100'000u);
    EXPECT_EQ(record(core).log.size(), record_log_limit);
    EXPECT_TRUE(record(core).log.ends_with("xend\n"));
}

TEST_F(SuperviseFiles, AReaderThatDoesNotReadDoesNotStopTheDeadline) {
    const auto ran = shell(line(core, "head -c 500000 /dev/zero; sleep 30", "--deadline 0.5") +
                           " | { sleep 3; cat >/dev/null; }");
    EXPECT_LT(ran.seconds, 5);
    EXPECT_EQ(record(core).outcome, Outcome::hung);
    EXPECT_LT(record(core).seconds, 2);
}

TEST_F(SuperviseFiles, AReaderThatIsGoneDoesNotMatter) {
    shell(line(core, "sleep 0.2; echo a; echo b; " + send(core, Outcome::delivered) + "exit 0") + " | true");
    EXPECT_EQ(record(core).outcome, Outcome::delivered);
}

TEST_F(SuperviseFiles, ATooLargeRecordIsNone) {
    EXPECT_EQ(run(core, "head -c 3000000 /dev/zero >&3; exit 0").code, 1);
    EXPECT_EQ(record(core).outcome, Outcome::crashed);
    EXPECT_TRUE(holds(record(core).summary, "larger than 1048576 bytes")) << record(core).summary;
}

TEST_F(SuperviseFiles, ARecordThatGrowsMayBeSentAsOftenAsItLikes) {
    const auto script =
        "i=0; while [ $i -lt 200 ]; do head -c 9999 /dev/zero | tr '\\0' ' '; echo; i=$((i+1)); done >&3; " +
        send(core, Outcome::delivered) + "echo >&3; exit 0";
    EXPECT_EQ(run(core, script).code, 0);
    EXPECT_EQ(record(core).outcome, Outcome::delivered);
}

TEST_F(SuperviseFiles, WithoutRoomForARecordNothingIsStarted) {
    const auto ran = shell("ulimit -f 0; " + line(core, "touch " + shell_quoted(folder / "ran")));
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(holds(ran.output, record_file(core).string())) << ran.output;
    EXPECT_TRUE(holds(ran.output, "File too large")) << ran.output;
    EXPECT_FALSE(std::filesystem::exists(folder / "ran"));
}

TEST_F(SuperviseFiles, AFolderThatFillsUpIsNoVerdict) {
    // Room for the record as started, not for the one with the log in it.
    const auto script = "head -c 20000 /dev/zero | tr '\\0' x; " + send(core, Outcome::delivered) + "exit 0";
    const auto ran = shell("ulimit -f 8; " + line(core, script));
    EXPECT_EQ(ran.code, 75) << ran.output;
    EXPECT_TRUE(holds(ran.output, "File too large")) << ran.output;
    EXPECT_FALSE(record(core).finished);
}

TEST_F(SuperviseFiles, AFolderThatCannotBeMadeIsNoVerdict) {
    std::filesystem::remove_all(folder / "records");
    std::ofstream{folder / "records"} << "a file";
    const auto ran = run(evidence, "exit 0");
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(holds(ran.output, (folder / "records").string())) << ran.output;
}

TEST_F(SuperviseFiles, APlanThatIsNoPlanIsNoVerdict) {
    std::ofstream{folder / "plan.json"} << "{}";
    const auto ran = run(core, "exit 0");
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(holds(ran.output, "plan.json")) << ran.output;
}

}  // namespace
}  // namespace peerproof::supervise
