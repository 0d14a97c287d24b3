// The script that CTest includes: its text, and what the real ctest makes of it.
#include "ctest/registration.hpp"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/ctest/sample_plan.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

TEST(CmakeArgument, ClosesWhereTheTextEnds) {
    EXPECT_EQ(cmake_argument("plain"), "[[plain]]");
    EXPECT_EQ(cmake_argument(""), "[[]]");
    EXPECT_EQ(cmake_argument("a]"), "[=[a]]=]");
    EXPECT_EQ(cmake_argument("a]]b"), "[=[a]]b]=]");
    EXPECT_EQ(cmake_argument("]]]="), "[==[]]]=]==]");
    EXPECT_EQ(cmake_argument("\nb"), "[[\n\nb]]");
}

// The list of tests as the real ctest reads it.
class Registration : public ::testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/peerproof registration XXXXXX";
        folder = ::mkdtemp(name);
        settle(folder / "plain");
    }
    void TearDown() override { fs::remove_all(folder); }

    // All paths below `root`, with programs in bin: ctest shows no command of a program that is not there.
    void settle(const fs::path& root) {
        paths = {root / "bin", root / "s1", root / "lib", root / "open-x2.toml", 5};
        fs::create_directories(paths.bin);
        for (const char* program : {"supervise", "conformance", "peerproof-report"}) {
            std::ofstream{paths.bin / program} << "#!/bin/sh\n";
            fs::permissions(paths.bin / program, fs::perms::owner_all);
        }
    }
    std::string program(const char* name) const { return (paths.bin / name).string(); }
    std::string session(const char* file = "") const { return paths.session_folder.string() + file; }

    std::map<std::string, nlohmann::json> read_back(const Plan& plan, const RegistrationPaths& places) {
        std::ofstream{folder / "CTestTestfile.cmake"} << registration_script(plan, places);
        const auto line =
            std::string{PEERPROOF_CTEST} + " --test-dir '" + folder.string() + "' --show-only=json-v1";
        FILE* pipe = ::popen(line.c_str(), "r");
        std::string text;
        char buffer[4096];
        for (std::size_t got; (got = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
        EXPECT_EQ(::pclose(pipe), 0);
        std::map<std::string, nlohmann::json> tests;
        const auto list = nlohmann::json::parse(text.substr(text.find('{')));
        for (const auto& test : list.at("tests")) tests[test.at("name")] = test;
        EXPECT_EQ(tests.size(), list.at("tests").size()) << "a name twice";
        return tests;
    }
    static nlohmann::json property(const nlohmann::json& test, const std::string& name) {
        for (const auto& one : test.at("properties")) {
            if (one.at("name") == name) return one.at("value");
        }
        return nullptr;
    }
    using Words = std::vector<std::string>;

    RegistrationPaths paths{"/opt/pp/bin", session(), "/opt/pp/lib/simulated", "/opt/pp/benches/open-x2.toml",
                            5};
    fs::path folder;
};

TEST_F(Registration, OpensTheSession) {
    const auto open = read_back(sample::plan(), paths).at("bench.open");
    EXPECT_EQ(open.at("command"),
              (Words{program("supervise"), "--grace", "5", "--deadline", "20", "--", program("conformance"),
                     "--open", session(), "--session", "20261201T051500Z-3f2a9c", "--listed",
                     "GPU-00000000,GPU-00000001"}));
    EXPECT_EQ(property(open, "FIXTURES_SETUP"), (Words{"session"}));
    EXPECT_EQ(property(open, "TIMEOUT"), 55.0);
}

TEST_F(Registration, RunsACaseOnItsGpus) {
    auto plan = sample::plan();
    plan.cases[2].after = {plan.cases[1].id};
    const auto tests = read_back(plan, paths);
    const auto core = tests.at("core.read.gpu1_to_gpu0");
    EXPECT_EQ(core.at("command"),
              (Words{program("supervise"), "--grace", "5", "--session-folder", session(), "--case",
                     "core.read.gpu1_to_gpu0", "--health", program("conformance"), "--",
                     program("conformance"), "--plan", session("/plan.json"), "--record-fd", "3",
                     "--gtest_filter=Core/Read.Arrives/gpu1_to_gpu0"}));
    EXPECT_EQ(property(core, "LABELS"), (Words{"core", "gpu0", "gpu1", "gpu1_to_gpu0"}));
    EXPECT_EQ(property(core, "RESOURCE_LOCK"), (Words{"gpu0", "gpu1"}));
    EXPECT_EQ(property(core, "FIXTURES_REQUIRED"), (Words{"controls", "session"}));
    EXPECT_EQ(property(core, "SKIP_RETURN_CODE"), nullptr);
    EXPECT_EQ(property(core, "TIMEOUT"), 85.0);  // with time to ask two GPUs whether they are well
    // ctest adds the edges of the fixtures.
    EXPECT_EQ(property(core, "DEPENDS"),
              (Words{"core.read.gpu0_to_gpu1", "control.alive.gpu0", "bench.open"}));
}

TEST_F(Registration, GivesASoakItsTime) {
    auto plan = sample::plan();
    plan.soak_s = 600;
    plan.cases.push_back(sample::make_case("soak.rounds.bench", Family::soak, "rounds", {0, 1}));
    const auto tests = read_back(plan, paths);
    EXPECT_EQ(property(tests.at("soak.rounds.bench"), "TIMEOUT"), 685.0);
    EXPECT_EQ(property(tests.at("core.read.gpu1_to_gpu0"), "TIMEOUT"), 85.0);
}

// A measurement whose bytes may go through the host holds every GPU; the all-reduce of two GPUs only these.
TEST_F(Registration, RunsMeasurementsAloneUnlessTheLinksSayThatNothingIsShared) {
    auto plan = sample::plan();
    plan.gpus.push_back({2, "GPU-00000002", "0000:02:00.0", "GPU", 64, "9.0"});
    plan.cases.push_back(sample::make_case("measurement.kernel_read.gpu0_to_gpu1", Family::measurement,
                                           "kernel_read", {0, 1}));
    plan.cases.push_back(
        sample::make_case("collective.all_reduce.gpu0_gpu1", Family::collective, "all_reduce", {0, 1}));
    plan.cases.push_back(
        sample::make_case("collective.all_reduce.bench", Family::collective, "all_reduce", {0, 1, 2}));
    const auto tests = read_back(plan, paths);
    for (const char* name : {"measurement.kernel_read.gpu0_to_gpu1", "collective.all_reduce.bench"}) {
        EXPECT_EQ(property(tests.at(name), "RESOURCE_LOCK"), (Words{"gpu0", "gpu1", "gpu2"})) << name;
        EXPECT_EQ(property(tests.at(name), "SKIP_RETURN_CODE"), 77) << name;
        EXPECT_EQ(property(tests.at(name), "FIXTURES_REQUIRED"), (Words{"controls", "session"})) << name;
    }
    EXPECT_EQ(property(tests.at("measurement.kernel_read.gpu0_to_gpu1"), "PROCESSORS"), 2);
    EXPECT_EQ(property(tests.at("core.read.gpu0_to_gpu1"), "PROCESSORS"), nullptr);
    EXPECT_EQ(property(tests.at("collective.all_reduce.gpu0_gpu1"), "RESOURCE_LOCK"),
              (Words{"gpu0", "gpu1"}));
    EXPECT_EQ(tests.at("collective.all_reduce.bench").at("command").at(10), program("collective"));
    EXPECT_EQ(property(tests.at("collective.all_reduce.bench"), "LABELS"),
              (Words{"bench", "collective", "gpu0", "gpu1", "gpu2"}));
    for (int gpu = 0; gpu < 2; ++gpu)
        plan.links.push_back({.gpu = gpu,
                              .nvlinks = {{.link = 0,
                                           .active = true,
                                           .remote = plan.gpus[gpu == 0 ? 1 : 0].bus_id,
                                           .remote_kind = "gpu"}}});
    EXPECT_EQ(property(read_back(plan, paths).at("measurement.kernel_read.gpu0_to_gpu1"), "RESOURCE_LOCK"),
              (Words{"gpu0", "gpu1"}));
}

TEST_F(Registration, RunsWaysAsEvidenceByTheirLabel) {
    auto plan = sample::plan();
    plan.cases.push_back(sample::make_case("way.ipc.gpu0_to_gpu1", Family::way, "ipc", {0, 1}));
    const auto way = read_back(plan, paths).at("way.ipc.gpu0_to_gpu1");
    EXPECT_EQ(property(way, "LABELS"), (Words{"gpu0", "gpu0_to_gpu1", "gpu1", "way"}));
    EXPECT_EQ(property(way, "RESOURCE_LOCK"), (Words{"gpu0", "gpu1"}));
    EXPECT_EQ(property(way, "SKIP_RETURN_CODE"), 77);
    EXPECT_EQ(property(way, "RUN_SERIAL"), nullptr);
    EXPECT_EQ(property(way, "FIXTURES_REQUIRED"), (Words{"controls", "session"}));
    EXPECT_EQ(way.at("command").at(10), program("conformance"));
}

TEST_F(Registration, PutsControlsFirstAndTheVerdictLast) {
    const auto tests = read_back(sample::plan(), paths);
    const auto control = tests.at("control.alive.gpu0");
    EXPECT_EQ(property(control, "FIXTURES_SETUP"), (Words{"controls"}));
    EXPECT_EQ(property(control, "FIXTURES_REQUIRED"), (Words{"session"}));
    EXPECT_EQ(property(control, "SKIP_RETURN_CODE"), nullptr);
    EXPECT_EQ(property(control, "LABELS"), (Words{"control", "gpu0"}));
    const auto verdict = tests.at("verdict");
    EXPECT_EQ(verdict.at("command"), (Words{program("peerproof-report"), "verdict", session(), "--session",
                                            "20261201T051500Z-3f2a9c"}));
    EXPECT_EQ(property(verdict, "FIXTURES_CLEANUP"), (Words{"session"}));
    EXPECT_EQ(property(verdict, "FIXTURES_REQUIRED"), nullptr);
    EXPECT_EQ(property(tests.at("evidence.staged_copy.gpu0_to_gpu1"), "SKIP_RETURN_CODE"), 77);
}

// As a clean-up, and not by DEPENDS alone: so no selection leaves it out, and a control that fails does not
// either.
TEST_F(Registration, ClosesAfterEverythingElseAndBeforeTheVerdict) {
    auto plan = sample::plan();
    plan.cases.push_back(sample::make_case("closing.still_there.gpu1", Family::closing, "still_there", {1}));
    const auto tests = read_back(plan, paths);
    const auto closing = tests.at("closing.still_there.gpu1");
    EXPECT_EQ(property(closing, "FIXTURES_CLEANUP"), (Words{"controls"}));
    EXPECT_EQ(property(closing, "FIXTURES_REQUIRED"), (Words{"session"}));
    EXPECT_EQ(property(closing, "SKIP_RETURN_CODE"), nullptr);
    EXPECT_EQ(property(closing, "RESOURCE_LOCK"), (Words{"gpu1"}));
    const auto before = property(closing, "DEPENDS");
    for (const char* name : {"core.read.gpu0_to_gpu1", "core.read.gpu1_to_gpu0",
                             "evidence.staged_copy.gpu0_to_gpu1", "control.alive.gpu0"})
        EXPECT_NE(std::find(before.begin(), before.end(), name), before.end()) << name << before;
    const auto last = property(tests.at("verdict"), "DEPENDS");
    EXPECT_NE(std::find(last.begin(), last.end(), "closing.still_there.gpu1"), last.end()) << last;
}

TEST_F(Registration, SetsTheEnvironmentOfASimulatedBenchOnly) {
    auto plan = sample::plan();
    const Words real{"CUDA_DEVICE_ORDER=set:PCI_BUS_ID", "CUDA_LAUNCH_BLOCKING=unset:"};
    auto simulated = real;
    simulated.insert(simulated.end(),
                     {"LD_LIBRARY_PATH=path_list_prepend:" + paths.simulated_libraries.string(),
                      "PEERPROOF_BENCH=set:" + paths.bench.string(),
                      "PEERPROOF_SIMULATED_STATE=set:" + session("/simulated"),
                      "PEERPROOF_SYSFS=set:" + session("/simulated/sys")});
    for (const auto& name : {"bench.open", "control.alive.gpu0", "core.read.gpu0_to_gpu1"}) {
        EXPECT_EQ(property(read_back(plan, paths).at(name), "ENVIRONMENT_MODIFICATION"), simulated) << name;
    }
    plan.simulated.reset();
    EXPECT_EQ(property(read_back(plan, paths).at("bench.open"), "ENVIRONMENT_MODIFICATION"), real);
    paths.baseline = folder / "a baseline;.json";
    auto with = real;
    with.push_back("PEERPROOF_EXPECT=set:" + paths.baseline.string());
    EXPECT_EQ(property(read_back(plan, paths).at("bench.open"), "ENVIRONMENT_MODIFICATION"), with);
}

TEST_F(Registration, KeepsStrangePathsAsTheyAre) {
    for (const std::string strange : {"with space", "semi;colon", "quote\"s'", "$HOME ${x} @y@",
                                      "back\\slash\\", "hash #", "round (", "=]=]"}) {
        SCOPED_TRACE(strange);
        settle(folder / strange);
        if (strange.find('\\') != std::string::npos) {
            // ctest itself turns it into / in the path of a program; discover.cmake refuses such a folder.
            const auto session_folder = paths.session_folder;
            settle(folder / "plain");
            paths.session_folder = session_folder;
        }
        const auto core = read_back(sample::plan(), paths).at("core.read.gpu0_to_gpu1");
        EXPECT_EQ(core.at("command").at(0), program("supervise"));
        EXPECT_EQ(core.at("command").at(4), session());
        if (strange.find(']') == std::string::npos) {  // discover.cmake refuses brackets on a simulated bench
            const auto changes = property(core, "ENVIRONMENT_MODIFICATION");
            EXPECT_EQ(changes.at(3), "PEERPROOF_BENCH=set:" + paths.bench.string());
        }
    }
}

TEST_F(Registration, FewGpusStillHaveAVerdict) {
    auto plan = sample::plan();
    plan.gpus.resize(1);
    plan.cases.resize(1);
    EXPECT_EQ(read_back(plan, paths).size(), 3u);
    plan.gpus.clear();
    plan.cases.clear();
    const auto tests = read_back(plan, paths);
    EXPECT_EQ(tests.size(), 2u);
    EXPECT_EQ(tests.at("bench.open").at("command").back(), plan.session);  // nothing is listed
}

}  // namespace
}  // namespace peerproof
