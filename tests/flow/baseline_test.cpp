// What is expected of each pair comes from a file: an earlier run, or one written by hand.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

// Between GPUs 0 and 2 kernels fault in both directions, and all the rest is open.
constexpr const char* one_pair_closed =
    "description = \"GPUs 0 and 2 are behind different roots\"\n[gpus]\ncount = 3\nmemory_mib = 1024\n"
    "[[pair]]\nfrom = 0\nto = 2\nload = \"fault\"\nstore = \"fault\"\n"
    "[[pair]]\nfrom = 2\nto = 0\nload = \"fault\"\nstore = \"fault\"\n"
    "[expect]\nverdict = \"partial\"\n";

class BaselineFlow : public testing::Test {
  protected:
    std::string verdict() { return flow.report().at("verdict"); }
    fs::path written(const std::string& name, const std::string& text) {
        const fs::path file = flow.out().parent_path() / name;
        std::ofstream(file) << text;
        return file;
    }
    // Runs, and takes what came of it as the baseline of the next runs.
    void take_baseline() {
        (void)flow.ctest({"-j2"});
        // With what shells and CMake take for something else in its name.
        baseline = flow.out().parent_path() / "a base;line [$x]'s.json";
        fs::copy_file(flow.session() / "report.json", baseline);
        flow.set("PEERPROOF_EXPECT", baseline.string());
    }
    Flow flow;
    fs::path baseline;
};

TEST_F(BaselineFlow, TheSameBenchIsGreenAndItsVerdictStaysPartial) {
    flow.bench_text("mixed", one_pair_closed);
    take_baseline();
    EXPECT_EQ(verdict(), "partial");
    EXPECT_FALSE(flow.report().at("as_expected"));
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(verdict(), "partial");
    EXPECT_EQ(flow.report().at("expected"), "baseline");
    EXPECT_EQ(flow.report().at("plan").at("baseline").at("differs").size(), 0u);
    EXPECT_NE(ended.output.find("100% tests passed"), std::string::npos);
}

TEST_F(BaselineFlow, ABenchThatBecameWorseOrBetterIsRed) {
    flow.bench_text("mixed", one_pair_closed);
    take_baseline();
    flow.set("PEERPROOF_BENCH", "locked-x3");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    EXPECT_EQ(verdict(), "locked");
    flow.set("PEERPROOF_BENCH", "open-x3");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    EXPECT_EQ(verdict(), "open");
    EXPECT_NE(flow.report().at("findings").dump().find("where illegal_address is expected"),
              std::string::npos);
}

TEST_F(BaselineFlow, WrittenByHandWithMeasurementsAndSums) {
    flow.bench_text("mixed", one_pair_closed);
    flow.set("PEERPROOF_MEASUREMENTS", "brief");
    flow.set("PEERPROOF_COLLECTIVE", "on");
    flow.set("PEERPROOF_EXPECT", written("expect.toml",
                                         "[[pair]]\nsource = \"gpu0\"\ndestination = \"gpu2\"\n"
                                         "expect = \"locked\"\nbidirectional = true\n")
                                     .string());
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(verdict(), "partial");
    EXPECT_EQ(flow.outcome("measurement.read_bandwidth.gpu0_to_gpu2"), "illegal_address");
    EXPECT_EQ(flow.outcome("measurement.read_bandwidth.gpu0_to_gpu1"), "delivered");
    // Half of the large step, which is 4 MiB here.
    EXPECT_EQ(flow.record("measurement.read_bandwidth.gpu0_to_gpu1").at("measurements").at(0).at("bytes"),
              2 << 20);
    EXPECT_EQ(flow.outcome("collective.all_reduce.gpu0_gpu1"), "delivered");
}

TEST_F(BaselineFlow, AMirrorIsRedWhateverTheFileSays) {
    flow.set("PEERPROOF_EXPECT", written("expect.toml", "others = \"locked\"\n").string());
    flow.set("PEERPROOF_BENCH", "mirror-x3");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    EXPECT_EQ(verdict(), "silent");
}

TEST_F(BaselineFlow, ARunThatWasSilentIsNoBaseline) {
    flow.set("PEERPROOF_BENCH", "mirror-x3");
    take_baseline();
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8);
    EXPECT_NE(ended.output.find("is silent: only a run that was open, locked or partial is a baseline"),
              std::string::npos)
        << ended.output;
    EXPECT_NE(ended.output.find("ended with 64"), std::string::npos) << ended.output;
    EXPECT_EQ(verdict(), "no_verdict");
}

TEST_F(BaselineFlow, AFileWithAMistakeOrNoneAtAllIsNamed) {
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.set("PEERPROOF_EXPECT", written("expect.toml", "others = \"shut\"\n").string());
    Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8);
    EXPECT_NE(ended.output.find("expect.toml:1: 'others' must be open or locked"), std::string::npos)
        << ended.output;
    flow.set("PEERPROOF_EXPECT", "/nowhere/report.json");
    ended = flow.ctest();
    EXPECT_EQ(ended.code, 8);
    EXPECT_NE(ended.output.find("PEERPROOF_EXPECT='/nowhere/report.json'"), std::string::npos)
        << ended.output;
}

TEST_F(BaselineFlow, ByHandAFileIsRefused) {
    flow.set("PEERPROOF_BENCH", (flow.folder() / "benches/open-x2.toml").string());
    flow.set("LD_LIBRARY_PATH", (flow.folder() / "lib/simulated").string());
    const std::vector<std::string> call{"--gtest_filter=Core/Read.Arrives/gpu0_to_gpu1"};
    EXPECT_EQ(flow.program("conformance", call).code, 0);
    flow.set("PEERPROOF_EXPECT", written("expect.toml", "others = \"locked\"\n").string());
    const Ended ended = flow.program("conformance", call);
    EXPECT_EQ(ended.code, 64);
    EXPECT_NE(ended.output.find("by hand, say open or locked"), std::string::npos) << ended.output;
}

TEST_F(BaselineFlow, ABaselineOfAnotherDriverIsSaid) {
    flow.set("PEERPROOF_BENCH", "open-x2");
    take_baseline();
    auto report = nlohmann::json::parse(text_of(baseline));
    report["plan"]["environment"]["driver"] = "one of last year";
    std::ofstream(baseline) << report.dump();
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    EXPECT_NE(text_of(flow.session() / "report.txt").find("another fingerprint: "), std::string::npos);
    EXPECT_NE(flow.report().at("findings").dump().find("driver: one of last year there"), std::string::npos);
}

// A driver is patched, the BIOS updated: what became of the bench.
TEST_F(BaselineFlow, APatchedDriverComparedWithTheOneBefore) {
    const std::string gpus =
        "description = \"a lab's bench\"\n[gpus]\ncount = 2\nmemory_mib = 1024\n[expect]\nverdict = "
        "\"open\"\n";
    flow.bench_text("lab", gpus + "[hints]\ndriver_version = \"580.00\"\nbios_version = \"1.0\"\n");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 0);
    const fs::path before = flow.session();
    flow.bench_text("lab", gpus +
                               "[hints]\ndriver_version = \"590.00\"\nbios_version = \"2.3\"\n"
                               "[[pair]]\nfrom = 0\nto = 1\nload = \"zeros\"\n");
    EXPECT_EQ(flow.ctest({"-j2"}).code, 8);
    const Ended compared =
        flow.program("peerproof-report", {"compare", before.string(), flow.session().string()});
    EXPECT_EQ(compared.code, 1) << compared.output;
    for (const char* line :
         {"worse: verdict: open, as expected -> silent", "worse: core.read.gpu0_to_gpu1: delivered -> wrong",
          "differs: bios: Simulated BIOS 1.0 -> Simulated BIOS 2.3",
          "differs: driver_version: 580.00 -> 590.00"})
        EXPECT_NE(compared.output.find(line), std::string::npos) << line << "\n" << compared.output;
    // The other way round nothing is worse.
    EXPECT_EQ(flow.program("peerproof-report", {"compare", flow.session().string(), before.string()}).code,
              0);
}

}  // namespace
}  // namespace peerproof::flow
