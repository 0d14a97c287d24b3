// [[health]]: readings and counters that rise with what a GPU's paths carry.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

namespace fs = std::filesystem;

// GPU 0's memory to GPU 1: 1 MiB a copy.
const std::vector<std::string> ready{"malloc a 1048576", "fill a 7", "enable 1", "set 1",
                                     "malloc b 1048576", "sync"};
const std::string copy = "peer b 1 a 0 1048576";

std::string health(const std::string& keys, int gpus_there = 2) {
    return gpus(gpus_there, "[[health]]\ngpu = 0\n" + keys);
}

TEST(Health, WhatIsNotSaidIsThatOfAGpuAtRest) {
    EXPECT_EQ(probe("open-x2", {"readings 0", "counters 0"}).answers,
              Answers({"0 40 1980 2619 350000 0", "0 0 0 0 0"}));
    EXPECT_EQ(
        probe(health("nvml = \"does_not_say\""), {"readings 0", "readings 1", "counters 0", "want_xid 0"})
            .answers,
        Answers({"3", "0 40 1980 2619 350000 0", "3", "3"}));
}

TEST(Health, ItGetsHotAndSlow) {
    const std::string bench = health(
        "temperature_c = 30\ntemperature_per_gib = 10240\ntemperature_most_c = 55\nthrottles_above_c = 45\n"
        "sm_clock_mhz = 1000\nmemory_clock_mhz = 2000\npower_w = 99.5");
    EXPECT_EQ(after(ready, bench,
                    {"readings 0", copy, "readings 0", copy, "readings 0", copy, "readings 0", "readings 1"}),
              Answers({"0 30 1000 2000 99500 0", "0", "0 40 1000 2000 99500 0", "0", "0 50 500 2000 99500 32",
                       "0", "0 55 500 2000 99500 32", "0 40 1980 2619 350000 0"}));
}

TEST(Health, CountersRiseWithWhatTheGpuCarries) {
    const std::string bench = health(
        "pcie_replays = 5\npcie_replays_per_gib = 3072\necc_corrected_per_gib = 2048\n"
        "ecc_uncorrected_per_gib = 1024\nnvlink_replays_per_gib = 4096\n[links]\nnvlinks = 1");
    EXPECT_EQ(after(ready, bench,
                    {"counters 0", copy, "counters 0", "set 0", "store b a 1048576", "sync", "counters 0",
                     "counters 1"}),
              Answers({"0 5 0 0 0", "0", "0 8 2 1 4", "0", "0", "0", "0 11 4 2 8", "0 0 0 0 0"}));
}

TEST(Health, EveryKernelCountsWhereNothingIsWrong) {
    const std::vector<std::string> store{"set 0", "store b a 1048576", "sync", "store b a 1048576",
                                         "sync",  "counters 0"};
    EXPECT_EQ(after(ready, health("pcie_replays_per_gib = 1024"), store).back(), "0 2 0 0 0");
}

TEST(Health, AnXidReachesThoseWhoAskedBefore) {
    const std::string bench = health("xid = 79\nxid_after_bytes = 2000000");
    EXPECT_EQ(
        after(ready, bench,
              {"want_xid 0", "want_xid 1", "xid", copy, "xid", copy, "xid", "xid", "want_xid 0", "xid"}),
        Answers({"0", "0", "10", "0", "10", "0", "0 79 of 0", "10", "0", "10"}));
}

TEST(Health, APathMayBeWrongAboveATemperature) {
    const std::string bench =
        health("temperature_per_gib = 10240") + "[[when]]\nabove_c = 45\ncopy = \"nothing\"\n";
    std::vector<std::string> steps = ready;
    // The first copy makes it 50 degrees; the second leaves what is there.
    steps.insert(steps.end(), {copy, "fill b 9", copy, "word b"});
    EXPECT_EQ(probe(bench, steps).answers.back(), "0 0x9");
    steps[6] = "peer b 1 a 0 524288";
    EXPECT_EQ(probe(bench, steps).answers.back(), "0 0x7") << "45 are not above 45";
}

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(Health, SysfsCountsErrorsOfLinksAsTheKernelWritesThem) {
    char name[] = "/tmp/peerproof-session-XXXXXX";
    const fs::path folder = ::mkdtemp(name);
    std::vector<std::string> steps = ready;
    steps.push_back(copy);
    const Ran ran =
        probe(health("aer_correctable = 1\naer_correctable_per_gib = 2048\naer_nonfatal_per_gib = 1024\n"
                     "aer_port_correctable_per_gib = 5120"),
              steps, {{"PEERPROOF_SIMULATED_STATE", folder.string()}});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    const fs::path gpu = fs::canonical(folder / "sys/bus/pci/devices/0000:01:00.0"),
                   other = folder / "sys/bus/pci/devices/0000:21:00.0";
    EXPECT_EQ(text_of(gpu / "aer_dev_correctable"),
              "RxErr 0\nBadTLP 3\nBadDLLP 0\nRollover 0\nTimeout 0\nNonFatalErr 0\nCorrIntErr 0\nHeaderOF 0\n"
              "TOTAL_ERR_COR 3\n");
    const std::string nonfatal = text_of(gpu / "aer_dev_nonfatal");
    EXPECT_TRUE(nonfatal.starts_with("Undefined 0\nDLP 0\n")) << nonfatal;
    EXPECT_TRUE(nonfatal.ends_with("\nTOTAL_ERR_NONFATAL 1\n")) << nonfatal;
    EXPECT_TRUE(text_of(gpu / "aer_dev_fatal").ends_with("\nTOTAL_ERR_FATAL 0\n"));
    EXPECT_TRUE(text_of(gpu.parent_path() / "aer_dev_correctable").ends_with("\nTOTAL_ERR_COR 5\n"));
    EXPECT_TRUE(text_of(other / "aer_dev_correctable").ends_with("\nTOTAL_ERR_COR 0\n"));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace peerproof::simulated
