// After a case that hung its GPUs are asked whether they answer, and what follows is started or not.
#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

class SuperviseHealth : public SuperviseRun {
  protected:
    static constexpr const char* measurement = "measurement.read_bandwidth.gpu1_to_gpu0";
    static constexpr const char* sum_without_p2p = "collective.all_reduce_without_p2p.bench";
    static constexpr const char* sum = "collective.all_reduce.bench";

    void SetUp() override {
        SuperviseRun::SetUp();
        for (int gpu = 0; gpu < 2; ++gpu) {
            const std::string name = "control.positive.gpu" + std::to_string(gpu);
            plan.cases.push_back(sample::make_case(name, Family::control, "positive", {gpu}));
            came_to(name, Outcome::delivered);
        }
        plan.cases.push_back(sample::make_case(measurement, Family::measurement, "read_bandwidth", {1, 0}));
        plan.cases.push_back(
            sample::make_case(sum_without_p2p, Family::collective, "all_reduce_without_p2p", {0, 1}));
        plan.cases.push_back(sample::make_case(sum, Family::collective, "all_reduce", {0, 1}));
        write_file_atomically(folder / "plan.json", to_json(plan).dump());
        gpus({"answer 0", "answer 1"});
    }

    void came_to(const std::string& id, Outcome outcome) {
        Record record = started_record(plan, *find(id));
        record.finished = true;
        record.outcome = outcome;
        record.exit_code = 0;
        write_file_atomically(record_file(id), to_json(record).dump());
    }
    const Case* find(const std::string& id) const { return plan.find(id); }

    // The program that asks a GPU: a shell script with a line for each GPU, "answer N" or what it does
    // instead.
    void gpus(const std::vector<std::string>& deeds) {
        std::string script = "#!/bin/sh\necho \"$*\" >>" + shell_quoted(folder / "asked") +
                             "\nanswer() { cat " + shell_quoted(folder) +
                             "/answer$1 >&3; exit 0; }\ncase \"$*\" in\n";
        for (std::size_t gpu = 0; gpu < deeds.size(); ++gpu) {
            const std::string place = "gpu" + std::to_string(gpu);
            Record record = started_record(plan, *find("control.positive." + place));
            record.finished = true;
            record.outcome = Outcome::delivered;
            write_file_atomically(folder / ("answer" + std::to_string(gpu)), to_json(record).dump());
            script += "*/" + place + ") " + deeds[gpu] + ";;\n";
        }
        write_file_atomically(folder / "ask", script + "esac\n");
        std::filesystem::permissions(folder / "ask", std::filesystem::perms::owner_all);
    }

    Ran run_case(const std::string& id, const std::string& script, const std::string& options = "") const {
        return run(id, script, options + " --health " + shell_quoted(folder / "ask"));
    }
    Ran hang(const std::string& id) const {
        return run_case(id, "exec sleep 30", "--deadline 0.4 --grace 1");
    }
    int asked() const {
        std::ifstream file{folder / "asked"};
        int count = 0;
        for (std::string line; std::getline(file, line);) ++count;
        return count;
    }
    std::string health(int gpu) const {
        std::ifstream file{folder / "health" / plan.gpus[static_cast<std::size_t>(gpu)].uuid};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    void expect_not_started(const std::string& id, int code, const std::string& why) {
        std::filesystem::remove(folder / "ran");
        const Ran ran = run_case(id, "touch " + shell_quoted(folder / "ran"));
        EXPECT_EQ(ran.code, code) << ran.output;
        EXPECT_FALSE(std::filesystem::exists(folder / "ran")) << id;
        EXPECT_EQ(record(id).outcome, Outcome::not_started);
        EXPECT_EQ(record(id).summary, "not started: " + why);
    }
};

TEST_F(SuperviseHealth, AGpuThatDoesNotAnswerIsAskedOnceAndNothingFollowsOnIt) {
    gpus({"answer 0", "exec sleep 30"});
    const Ran ran = hang(core);
    EXPECT_EQ(ran.code, 124) << ran.output;
    EXPECT_EQ(asked(), 2);
    EXPECT_TRUE(holds(ran.output, "health: gpu0 answers after core.read.gpu0_to_gpu1 hung: delivered"))
        << ran.output;
    EXPECT_TRUE(holds(log(core), "health: gpu1 does not answer after core.read.gpu0_to_gpu1 hung: hung in "))
        << log(core);
    EXPECT_TRUE(holds(health(0), "gpu0 answers"));
    EXPECT_TRUE(holds(health(1), "gpu1 does not answer"));
    EXPECT_EQ(record(core).outcome, Outcome::hung);  // and its record is its own

    const std::string why = "gpu1 has not answered since core.read.gpu0_to_gpu1 hung";
    expect_not_started(back, 75, why);
    expect_not_started(evidence, 77, why);
    expect_not_started("control.positive.gpu1", 1, why);
    EXPECT_EQ(asked(), 2);
    EXPECT_EQ(run_case(control, send(control, Outcome::delivered)).code, 0);  // on gpu0
}

TEST_F(SuperviseHealth, GpusThatAnswerAreUsedAndThePathThatHungIsNotTakenAgain) {
    EXPECT_EQ(hang(core).code, 124);
    EXPECT_EQ(asked(), 2);
    EXPECT_EQ(run_case(back, send(back, Outcome::delivered)).code, 0);  // a core check is always asked
    const std::string why = "core.read.gpu0_to_gpu1 hung: what follows between these GPUs would hang as well";
    for (const char* id : {measurement, evidence, sum}) expect_not_started(id, 77, why);
    // The all-reduces of all other GPUs stand on this one, and it goes another path.
    EXPECT_EQ(run_case(sum_without_p2p, send(sum_without_p2p, Outcome::delivered)).code, 0);
}

TEST_F(SuperviseHealth, BytesThatWereMissingBeforeTheHangForetellItAsWell) {
    Record seen = started_record(plan, *find(core));
    seen.outcome = Outcome::missing;
    seen.summary = "nothing arrived";
    seen.steps.resize(1);
    seen.steps[0].name = "word";
    seen.steps[0].outcome = Outcome::missing;
    write_file_atomically(folder / "seen.json", to_json(seen).dump());
    const std::string script = "cat " + shell_quoted(folder / "seen.json") + " >&3; echo >&3; exec sleep 30";
    EXPECT_EQ(run_case(core, script, "--deadline 0.4").code, 1);
    EXPECT_EQ(record(core).outcome, Outcome::missing);
    EXPECT_TRUE(record(core).summary.starts_with("nothing arrived; then killed after 0."))
        << record(core).summary;
    EXPECT_EQ(asked(), 2);
    expect_not_started(measurement, 77,
                       "core.read.gpu0_to_gpu1 hung: what follows between these GPUs would hang as well");
}

TEST_F(SuperviseHealth, ACrashIsAskedAfterToo) {
    gpus({"exit 0", "answer 1"});  // without a word
    EXPECT_EQ(run_case(core, "kill -SEGV $$").code, 1);
    expect_not_started(back, 75, "gpu0 has not answered since core.read.gpu0_to_gpu1 crashed");
}

TEST_F(SuperviseHealth, NobodyIsAskedAfterACaseThatCameToItsEnd) {
    EXPECT_EQ(run_case(core, send(core, Outcome::missing) + "exit 1").code, 1);
    EXPECT_EQ(run_case(back, send(back, Outcome::delivered)).code, 0);
    EXPECT_EQ(asked(), 0);
    EXPECT_EQ(run_case(measurement, send(measurement, Outcome::delivered)).code, 0);
}

TEST_F(SuperviseHealth, ASumThatHungForetellsNothing) {
    EXPECT_EQ(hang(sum).code, 124);
    EXPECT_EQ(asked(), 2);
    EXPECT_EQ(run_case(measurement, send(measurement, Outcome::delivered)).code, 0);
}

TEST_F(SuperviseHealth, AHungControlHoldsItsGpusBackByItself) {
    EXPECT_EQ(hang(control).code, 1);
    EXPECT_EQ(asked(), 0);
}

TEST_F(SuperviseHealth, WhatWasSaidFirstStays) {
    gpus({"exec sleep 30", "answer 1"});
    hang(core);
    gpus({"exec sleep 30", "exec sleep 30"});
    hang(back);  // is not started, since gpu0 is sick
    expect_not_started(measurement, 77, "gpu0 has not answered since core.read.gpu0_to_gpu1 hung");
    EXPECT_EQ(asked(), 2);
}

}  // namespace
}  // namespace peerproof::supervise
