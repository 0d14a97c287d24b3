// Which devices a process sees, in which order, and what it is told of them.
#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {
namespace {

// The UUID of a GPU of open-x3, as the probe prints it.
std::string uuid(int gpu) {
    const std::string answer = probe("open-x3", {"properties " + std::to_string(gpu)}).answers.at(0);
    return answer.substr(answer.find("GPU-"));
}

// Bus numbers of what is in sight: "01 21 41" for all GPUs of a bench with three.
std::string buses(const std::string& bench, const Environment& environment) {
    const Ran counted = probe(bench, {"count"}, environment);
    const std::string answer = counted.answers.at(0);
    const int count = std::stoi(answer.substr(answer.find(' ')));
    std::string all;
    for (int i = 0; i < count; ++i) {
        const std::string properties =
            probe(bench, {"properties " + std::to_string(i)}, environment).answers.at(0);
        all += (i == 0 ? "" : " ") + properties.substr(properties.find("0000:") + 5, 2);
    }
    return all;
}

std::string visible(const std::string& list) { return buses("open-x3", {{"CUDA_VISIBLE_DEVICES", list}}); }

TEST(Devices, PropertiesSayWhatTheBenchSays) {
    const std::string bench = two_gpus(
        "[[gpu]]\nindex = 1\nname = \"Other <b>\"\nmemory_mib = 24576\ncompute_capability = \"8.6\"\nbus_id "
        "= \"0000:c1:00.0\"");
    const Answers seen =
        probe(bench, {"properties 1", "attribute 75 1", "attribute 33 1", "device_at 0000:C1:00.0",
                      "device_at 0000:77:00.0", "properties 2", "set 1", "free_memory"})
            .answers;
    EXPECT_EQ(seen[0].substr(0, seen[0].find(" GPU-")), "0 Other <b> 0000:C1:00.0 25769803776 8.6");
    EXPECT_EQ(Answers(seen.begin() + 1, seen.begin() + 5), Answers({"0 8", "0 193", "0 1", "101"}));
    EXPECT_EQ(seen[5].substr(0, 3), "101");
    EXPECT_EQ(seen[7], "0 25232932864 25769803776");
}

TEST(Devices, UuidsAreTheSameInEveryProcessAndDifferent) {
    EXPECT_EQ(uuid(0), uuid(0));
    EXPECT_NE(uuid(0), uuid(1));
    EXPECT_EQ(uuid(0).size(), 40u);
}

TEST(Devices, VisibleDevicesByIndexInTheOrderOfTheList) {
    EXPECT_EQ(visible("0,1,2"), "01 21 41");
    EXPECT_EQ(visible("2,0"), "41 01");
    EXPECT_EQ(visible("1"), "21");
    EXPECT_EQ(visible(""), "");
}

TEST(Devices, VisibleDevicesByUuidOrTheBeginningOfOne) {
    EXPECT_EQ(visible(uuid(2) + "," + uuid(0)), "41 01");
    EXPECT_EQ(visible(uuid(1).substr(0, 12)), "21");
    EXPECT_EQ(visible("GPU-"), "") << "the beginning of every one";
    EXPECT_EQ(visible("GPU-00000000-0000-0000-0000-000000000000"), "");
}

TEST(Devices, TheListEndsAtTheFirstEntryThatIsNotValid) {
    EXPECT_EQ(visible("1,-1,2"), "21");
    EXPECT_EQ(visible("0,3,2"), "01");
    EXPECT_EQ(visible("x"), "");
    EXPECT_EQ(visible("-1"), "");
    EXPECT_EQ(visible("1,1"), "") << "a GPU named twice";
}

TEST(Devices, OrderIsByBusIdOrFastestFirst) {
    const std::string bench = three_gpus("[machine]\nfastest_first = [2, 0, 1]");
    EXPECT_EQ(buses(bench, {{"CUDA_DEVICE_ORDER", "FASTEST_FIRST"}}), "41 01 21");
    EXPECT_EQ(buses(bench, {{"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}), "01 21 41");
    EXPECT_EQ(buses(bench, {{"CUDA_DEVICE_ORDER", "FASTEST_FIRST"}, {"CUDA_VISIBLE_DEVICES", "0"}}), "41");
}

TEST(Devices, APairAloneBehavesAsItDoesAmongAll) {
    const Environment pair{{"CUDA_VISIBLE_DEVICES", "2,0"}};
    EXPECT_EQ(probe("monitor-gpu-x3",
                    {"malloc a 8", "enable 1", "set 1", "malloc b 8", "enable 0", "load b a 8", "sync"}, pair)
                  .answers.back(),
              "700");
}

TEST(Devices, AGpuVanishesBetweenListingAndRun) {
    const Environment run{{"PEERPROOF_SIMULATED_STATE", ::testing::TempDir() + "peerproof-vanish"}};
    EXPECT_EQ(buses("vanishing-gpu-x3", {}), "01 21 41");
    EXPECT_EQ(buses("vanishing-gpu-x3", run), "01 21");
    EXPECT_EQ(buses(two_gpus("[[gpu]]\nindex = 0\npresent = \"run\""), {}), "21");
}

TEST(Devices, AGpuFallsOffTheBusAfterSomeProcessesOfASession) {
    char folder[] = "/tmp/peerproof-state-XXXXXX";
    const Environment session{{"PEERPROOF_SIMULATED_STATE", std::string(::mkdtemp(folder)) + "/made/here"}};
    const std::string bench = two_gpus("[[gpu]]\nindex = 1\nfalls_off_after = 2");
    EXPECT_EQ(probe(bench, {"count"}, session).answers, Answers({"0 2"}));
    EXPECT_EQ(probe(bench, {"count"}, session).answers, Answers({"0 2"}));
    EXPECT_EQ(probe(bench, {"count"}, session).answers, Answers({"0 1"}));
    EXPECT_EQ(probe(bench, {"count"}).answers, Answers({"0 2"})) << "outside of a session nothing is counted";
}

TEST(Devices, NoMemoryAndNoContextAnswerWithTheirCodes) {
    EXPECT_EQ(probe("suite-cannot-run-x2", {"malloc a 8", "set 1", "malloc b 8"}).answers,
              Answers({"0", "0", "2"}));
    EXPECT_EQ(probe("busy-gpus-x2", {"count", "set 0", "malloc a 8", "sync"}).answers,
              Answers({"0 2", "46", "46", "46"}));
}

TEST(Devices, MemoryEnds) {
    // 64 GiB less what the driver keeps; what is freed can be had again.
    EXPECT_EQ(probe("open-64g-x2", {"malloc a 34359738368", "malloc b 34359738368", "last", "malloc c 4096",
                                    "free a", "free a", "last", "malloc b 34359738368"})
                  .answers,
              Answers({"0", "2", "2", "0", "0", "1", "1", "0"}));
}

}  // namespace
}  // namespace peerproof::simulated
