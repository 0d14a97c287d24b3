// Never green by accident: whatever is stripped, lost, stale, mistyped or not there, the run is red and says
// why.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

class NeverGreen : public testing::Test {
  protected:
    NeverGreen() {
        flow.set("PEERPROOF_BENCH", "open-x2");
        flow.set("PEERPROOF_DEADLINE", "20");
    }
    // Judges the session again after `change` was made to its files.
    Ended judged_again(const std::function<void(const fs::path&)>& change) {
        EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
        const fs::path session = flow.session();
        change(session);
        return flow.program("peerproof-report",
                            {"verdict", session.string(), "--session", session.filename().string()});
    }
    Flow flow;
};

TEST_F(NeverGreen, TheOpenBenchIsGreenAtAll) {
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(flow.report().at("verdict"), "open");
}

TEST_F(NeverGreen, ControlsStrippedFromTheRun) {
    const Ended ended = flow.ctest({"-j2", "-FS", "controls", "-R", "core"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
    EXPECT_TRUE(says(reasons(flow.report()), "control.")) << reasons(flow.report());
}

TEST_F(NeverGreen, ControlsAndVerdictStrippedFromTheRun) {
    const Ended ended = flow.ctest({"-j2", "-FS", "controls", "-E", "control|verdict"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output, "not started: control.")) << ended.output;
}

TEST_F(NeverGreen, TheVerdictAloneStrippedFromTheRun) {
    using Arguments = std::vector<std::string>;
    for (const auto& arguments : {Arguments{"-E", "^verdict$"}, Arguments{"-R", "core", "-FC", "session"}}) {
        const Ended ended = flow.ctest(arguments);
        EXPECT_EQ(ended.code, 8) << ended.output;
        EXPECT_TRUE(says(ended.output, "100% tests passed")) << ended.output;
        EXPECT_TRUE(says(ended.output, "the test named verdict did not run")) << ended.output;
    }
    EXPECT_EQ(flow.ctest({"-N"}).code, 0);
}

TEST_F(NeverGreen, AllFixturesStrippedFromTheRun) {
    const Ended ended = flow.ctest({"-j2", "-FA", ".", "-R", "core"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output, "bench.open has not run")) << ended.output;
    EXPECT_FALSE(flow.has_report());
}

TEST_F(NeverGreen, AnEarlierRunDoesNotStandInForStrippedFixtures) {
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    EXPECT_EQ(flow.ctest({"-j2", "-FA", ".", "-R", "core"}).code, 8);
    EXPECT_EQ(flow.ctest({"-j2", "-FS", ".", "-R", "core"}).code, 8);
}

TEST_F(NeverGreen, APartOfTheCasesIsAPartialSession) {
    const Ended ended = flow.ctest({"-R", "core.*gpu0_to_gpu1"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
    EXPECT_TRUE(says(reasons(flow.report()), "partial session: 3 of 6")) << reasons(flow.report());
}

// What gates was planned because open is not said without it: leaving it out is a partial session on any
// bench.
TEST_F(NeverGreen, MeasurementsWaysOrSumsLeftOut) {
    for (const auto& [variable, value, family] :
         {std::tuple{"PEERPROOF_MEASUREMENTS", "brief", "measurement"},
          std::tuple{"PEERPROOF_WAYS", "widths", "way"},
          std::tuple{"PEERPROOF_COLLECTIVE", "on", "collective"}}) {
        for (const char* other : {"PEERPROOF_MEASUREMENTS", "PEERPROOF_WAYS", "PEERPROOF_COLLECTIVE"})
            flow.set(other, "off");
        flow.set(variable, value);
        if (fs::exists(flow.folder() / "bin/collective") || std::string(family) != "collective") {
            const Ended ended = flow.ctest({"-j2", "-E", family});
            EXPECT_EQ(ended.code, 8) << ended.output;
            EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
            EXPECT_TRUE(says(reasons(flow.report()), std::string("cases of the family ") + family +
                                                         " that gate ran; never started: " + family + "."))
                << reasons(flow.report());
            EXPECT_TRUE(says(text_of(flow.session() / "junit.xml"), "never run"));
        }
    }
}

// What an API call refuses accuses nobody, until somebody says that it is needed.
TEST_F(NeverGreen, ARequiredWayThatIsRefused) {
    flow.bench_text("no-ipc",
                    "description = \"Open, and memory of another process cannot be opened.\"\n"
                    "[gpus]\ncount = 2\nmemory_mib = 2048\n"
                    "[[way]]\nway = \"ipc\"\nrefuses = \"cudaIpcOpenMemHandle\"\nerror = 101\n"
                    "[expect]\nverdict = \"open\"\n");
    flow.set("PEERPROOF_WAYS", "ipc");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    EXPECT_EQ(flow.report().at("verdict"), "open");
    EXPECT_TRUE(says(flow.report().at("ways").at("line"), "ipc refused 2/2 (cudaIpcOpenMemHandle 101)"))
        << flow.report().at("ways");
    flow.set("PEERPROOF_REQUIRE", "ipc");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8) << ended.output;
    EXPECT_EQ(flow.report().at("verdict"), "open");
    EXPECT_EQ(flow.report().at("exit_code"), 1);
    EXPECT_TRUE(says(reasons(flow.report()), "ipc is required, and did not deliver: refused 2/2"))
        << reasons(flow.report());
    EXPECT_EQ(flow.program("peerproof-report", {"lines", flow.session().string()}).code, 1);
}

// Whatever ended a gating case together with its supervisor may have been the bench.
TEST_F(NeverGreen, ASumThatBeganAndHasNoEnd) {
    flow.set("PEERPROOF_COLLECTIVE", "on");
    const char* id = "collective.all_reduce.gpu0_gpu1";
    const Ended ended = judged_again([&](const fs::path& session) {
        if (!fs::exists(session / "records" / (std::string(id) + ".json"))) return;
        auto record = nlohmann::json::parse(text_of(session / "records" / (std::string(id) + ".json")));
        record["state"] = "started";
        std::ofstream(session / "records" / (std::string(id) + ".json")) << record;
        for (const char* command : {"show", "merge"}) {
            std::vector<std::string> arguments{command, session.string()};
            if (std::string(command) == "merge")
                arguments.insert(arguments.end(), {"--out", (session / "fleet").string()});
            const Ended other = flow.program("peerproof-report", arguments);
            EXPECT_EQ(other.code, 75) << other.output;
            EXPECT_TRUE(says(other.output, id)) << other.output;
        }
    });
    if (!fs::exists(flow.folder() / "bin/collective")) return;
    EXPECT_EQ(ended.code, 75);
    EXPECT_TRUE(says(ended.output, id)) << ended.output;
}

TEST_F(NeverGreen, AMissingRecord) {
    const Ended ended = judged_again(
        [](const fs::path& session) { fs::remove(session / "records/core.read.gpu0_to_gpu1.json"); });
    EXPECT_EQ(ended.code, 75);
    EXPECT_TRUE(says(ended.output, "core.read.gpu0_to_gpu1")) << ended.output;
}

TEST_F(NeverGreen, ARecordTooMany) {
    const Ended ended = judged_again([](const fs::path& session) {
        auto record = nlohmann::json::parse(text_of(session / "records/core.read.gpu0_to_gpu1.json"));
        record["case"] = "core.read.gpu0_to_gpu9";
        std::ofstream(session / "records/core.read.gpu0_to_gpu9.json") << record;
    });
    EXPECT_EQ(ended.code, 75);
    EXPECT_TRUE(says(ended.output, "core.read.gpu0_to_gpu9")) << ended.output;
}

TEST_F(NeverGreen, ARecordOfAnEarlierSession) {
    const Ended ended = judged_again([](const fs::path& session) {
        auto record = nlohmann::json::parse(text_of(session / "records/core.read.gpu0_to_gpu1.json"));
        record["session"] = "20200101T000000Z-000000";
        std::ofstream(session / "records/core.read.gpu0_to_gpu1.json") << record;
    });
    EXPECT_EQ(ended.code, 75);
    EXPECT_TRUE(says(ended.output, "20200101T000000Z-000000")) << ended.output;
}

TEST_F(NeverGreen, ASessionRunsOnce) {
    flow.set("PEERPROOF_SESSION", "once");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    const Ended again = flow.ctest({"-j2"});
    EXPECT_EQ(again.code, 8);
    EXPECT_TRUE(says(again.output, "already holds records")) << again.output;
}

TEST_F(NeverGreen, AFilterThatSelectsNothing) {
    EXPECT_EQ(flow.ctest({"-R", "no_such_case"}).code, 8);
    flow.ctest({"-R", "core.read.gpu0_to_gpu1"});
    const auto plan = (flow.session() / "plan.json").string();
    EXPECT_EQ(
        flow.program("conformance", {"--plan", plan, "--gtest_filter=Core/Read.Arrives/gpu0_to_gpu7"}).code,
        70);
    EXPECT_EQ(flow.program("conformance", {"--plan", plan}).code, 70);
    // Without a plan it is GoogleTest that selects, and it calls nothing a success.
    flow.set("LD_LIBRARY_PATH", (flow.folder() / "lib/simulated").string());
    const Ended ended = flow.program("conformance", {"--gtest_filter=No.Such"});
    EXPECT_EQ(ended.code, 70) << ended.output;
    EXPECT_TRUE(says(ended.output, "0 tests ran of 0 selected by --gtest_filter=No.Such")) << ended.output;
}

TEST_F(NeverGreen, AnUnknownFlag) {
    flow.ctest({"-R", "core.read.gpu0_to_gpu1"});
    const auto plan = (flow.session() / "plan.json").string();
    const std::string filter = "--gtest_filter=Core/Read.Arrives/gpu0_to_gpu1";
    EXPECT_EQ(flow.program("conformance", {"--plan", plan, filter, "--gtest_filtre=x"}).code, 64);
    EXPECT_EQ(flow.program("conformance", {"--plan", plan, filter, "--verbose"}).code, 64);
    EXPECT_EQ(flow.program("supervise", {"--verbose"}).code, 64);
    EXPECT_EQ(flow.program("peerproof-report", {"verdict", "--verbose"}).code, 64);
}

TEST_F(NeverGreen, AnUnknownVariable) {
    flow.set("PEERPROOF_EXPECTED", "locked");
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output, "PEERPROOF_EXPECTED: unknown variable")) << ended.output;
    // Who reads reports only must not find none, or those of an earlier session.
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
    EXPECT_TRUE(says(reasons(flow.report()), "PEERPROOF_EXPECTED")) << reasons(flow.report());
    EXPECT_TRUE(says(text_of(flow.session() / "junit.xml"), "PEERPROOF_EXPECTED"));
    EXPECT_TRUE(says(ended.output, "verdict: no_verdict")) << ended.output;
}

TEST_F(NeverGreen, AListingThatFailsAfterAGreenSession) {
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    flow.set("PEERPROOF_GPUS", "many");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
    // Nor may a name that was used, or one that leaves the folder, cost an earlier session its reports.
    flow.set("PEERPROOF_SESSION", "first");
    flow.unset("PEERPROOF_GPUS");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    flow.set("PEERPROOF_GPUS", "many");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    EXPECT_TRUE(says(text_of(flow.out() / "first/report.json"), "\"verdict\": \"open\""));
    flow.set("PEERPROOF_SESSION", "../first");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    EXPECT_TRUE(says(text_of(flow.out() / "first/report.json"), "\"verdict\": \"open\""));
}

TEST_F(NeverGreen, ABenchThatThereIsNot) {
    flow.set("PEERPROOF_BENCH", "opne-x3");
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output, "open-x3")) << ended.output;
}

TEST_F(NeverGreen, MoreGpusAskedForThanThereAre) {
    flow.set("PEERPROOF_GPUS", "4");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
    EXPECT_TRUE(says(ended.output, "bench.open: 4 GPUs were asked for, 2 are there")) << ended.output;
    EXPECT_TRUE(says(reasons(flow.report()), "4 GPUs were asked for, 2 are there")) << reasons(flow.report());
}

TEST_F(NeverGreen, AGpuLostBetweenListingAndRun) {
    flow.set("PEERPROOF_BENCH", "vanishing-gpu-x3");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output,
                     "the bench changed between its listing and its run: 3 GPUs were listed, 2 are there"))
        << ended.output;
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
}

TEST_F(NeverGreen, AnOutputFolderThatCannotBeWritten) {
    std::ofstream(flow.out()) << "a file stands where the folder should be";
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output, flow.out().string())) << ended.output;
}

TEST_F(NeverGreen, AFullOutputFolder) {
    // A folder of one page, in a mount namespace of its own: the plan does not fit.
    fs::create_directories(flow.out());
    const std::string command = "mount -t tmpfs -o size=4k none '" + flow.out().string() +
                                "' && exec '" PEERPROOF_CTEST "' --test-dir '" + flow.folder().string() +
                                "' -j2 --no-tests=error --output-on-failure";
    const Ended ended = run({"unshare", "--map-root-user", "--mount", "/bin/sh", "-c", command},
                            {{"PEERPROOF_BENCH", "open-x2"}, {"PEERPROOF_OUT", flow.out().string()}});
    EXPECT_EQ(ended.code, 8) << ended.output;
    EXPECT_TRUE(says(ended.output, "No space left on device")) << ended.output;
    EXPECT_TRUE(says(ended.output, "verdict: no_verdict")) << ended.output;
}

// A library that is loaded before all others and replaces calls of the driver: what they answer is not this
// bench's.
TEST_F(NeverGreen, ALibraryThatReplacesCallsOfTheDriver) {
    // The loader parts LD_PRELOAD at spaces, and the folder of a flow has some.
    char name[] = "/tmp/peerproof-shim-XXXXXX";
    const fs::path folder = ::mkdtemp(name), shim = folder / "shim.so", source = folder / "shim.c";
    std::ofstream(source)
        << "int cudaDeviceCanAccessPeer(int* can, int a, int b) { *can = a != b; return 0; }\n";
    const Ended made =
        run({PEERPROOF_CXX, "-shared", "-fPIC", "-xc", "-o", shim.string(), source.string()}, {});
    ASSERT_EQ(made.code, 0) << made.output;
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.set("LD_PRELOAD", shim.string());
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_EQ(flow.report().at("verdict"), "no_verdict");
    EXPECT_TRUE(says(reasons(flow.report()), "a preloaded library replaces calls of the driver: "))
        << reasons(flow.report());
    EXPECT_TRUE(says(reasons(flow.report()), "shim.so (cudaDeviceCanAccessPeer)")) << reasons(flow.report());
    fs::remove_all(folder);
}

TEST_F(NeverGreen, ASimulatedRuntimeThatNobodyAskedFor) {
    flow.unset("PEERPROOF_BENCH");
    flow.set("LD_LIBRARY_PATH", (flow.folder() / "lib/simulated").string());
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8);
    EXPECT_TRUE(says(ended.output, "bench.could_not_be_listed")) << ended.output;
    EXPECT_TRUE(says(ended.output, "PEERPROOF_BENCH is not set")) << ended.output;
}

TEST_F(NeverGreen, ARealRuntimeWhereASimulatedBenchWasAskedFor) {
    const Ended ended = flow.program("conformance", {});  // no LD_LIBRARY_PATH leads to the simulated one
    EXPECT_EQ(ended.code, 64) << ended.output;
    EXPECT_TRUE(
        says(ended.output, "asks for the simulated bench 'open-x2', but the CUDA runtime that answers"))
        << ended.output;
}

TEST_F(NeverGreen, ARunThatWasKilledAndANewOne) {
    flow.bench_text(
        "slow-x2",
        "description = \"open\"\n[gpus]\ncount = 2\nmemory_mib = 2048\n[expect]\nverdict = \"open\"\n");
    flow.set("PEERPROOF_SESSION", "killed");
    std::thread killer([&] {
        for (int i = 0; i < 400 && !fs::exists(flow.out() / "killed/records/control.fault.gpu0.json"); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        (void)run({"pkill", "-KILL", "-f", "ctest.*--test-dir " + flow.folder().string()}, {});
    });
    const Ended killed = flow.ctest();
    killer.join();
    EXPECT_EQ(killed.code, 128 + SIGKILL) << killed.output;
    const fs::path first = flow.session();
    const Ended judged = flow.program("peerproof-report", {"verdict", first.string(), "--session", "killed"});
    EXPECT_EQ(judged.code, 75) << judged.output;

    flow.set("PEERPROOF_SESSION", "next");
    const Ended next = flow.ctest();
    EXPECT_EQ(next.code, 0) << next.output;
    EXPECT_NE(flow.session(), first);
    EXPECT_EQ(flow.report().at("verdict"), "open");
}

}  // namespace
}  // namespace peerproof::flow
