#include "reports/judging/ceilings.hpp"

#include <gtest/gtest.h>

namespace peerproof {
namespace {

TEST(PcieCeiling, OfFourLanesOfGenerationTwo) {
    EXPECT_DOUBLE_EQ(*pcie_ceiling(5, 4).gb_per_s, 2.0);  // 5 x 4 x 0.8 / 8
    EXPECT_DOUBLE_EQ(*pcie_ceiling(5, 4).hard_gb_per_s, 2.0);
}

struct Row {
    double gt_per_s;
    double per_lane, x4, x8, x16, hard_x16;
};

// One direction, GB/s: facts of the PCI Express Base Specification, rounded as they are usually given.
const Row table[] = {{2.5, 0.250, 1.00, 2.00, 4.00, 4.00},    {5, 0.500, 2.00, 4.00, 8.00, 8.00},
                     {8, 0.985, 3.94, 7.88, 15.75, 15.75},    {16, 1.969, 7.88, 15.75, 31.51, 31.51},
                     {32, 3.938, 15.75, 31.51, 63.02, 63.02}, {64, 7.563, 30.25, 60.50, 121.0, 128.0}};

TEST(PcieCeiling, OfEveryGeneration) {
    for (const Row& row : table) {
        const auto of = [&](int lanes) { return *pcie_ceiling(row.gt_per_s, lanes).gb_per_s; };
        EXPECT_NEAR(of(1), row.per_lane, 0.0006) << row.gt_per_s;
        EXPECT_NEAR(of(4), row.x4, 0.006) << row.gt_per_s;
        EXPECT_NEAR(of(8), row.x8, 0.006) << row.gt_per_s;
        EXPECT_NEAR(of(16), row.x16, 0.006) << row.gt_per_s;
        EXPECT_NEAR(*pcie_ceiling(row.gt_per_s, 16).hard_gb_per_s, row.hard_x16, 0.006) << row.gt_per_s;
    }
}

TEST(PcieCeiling, OfWhatIsNotKnownIsUnknownWithItsReason) {
    EXPECT_EQ(pcie_ceiling(std::nullopt, 4).unknown, "its rate is not known");
    EXPECT_EQ(pcie_ceiling(8, std::nullopt).unknown, "its number of lanes is not known");
    EXPECT_EQ(pcie_ceiling(7, 4).unknown, "7 GT/s is no rate of PCI Express");
    EXPECT_FALSE(pcie_ceiling(7, 4).known());
}

Hop hop(const std::string& device, double speed, int lanes, double most = 0, int most_lanes = 0) {
    Hop made{.device = device,
             .kind = "root port",
             .speed = speed,
             .max_speed = most > 0 ? most : speed,
             .lanes = lanes};
    made.max_lanes = most_lanes > 0 ? most_lanes : lanes;
    return made;
}

// Two GPUs under ports of their own, both behind one switch; a third under a root port.
Plan three_gpus() {
    Plan plan;
    for (int i = 0; i < 3; ++i)
        plan.gpus.push_back({.index = i, .bus_id = "0000:0" + std::to_string(i) + ":00.0"});
    const Hop up = hop("up", 8, 1), port = hop("port", 8, 16);
    plan.links = {{.gpu = 0, .hops = {hop("gpu0", 16, 16), hop("down0", 16, 8), up, port}},
                  {.gpu = 1, .hops = {hop("gpu1", 16, 16), hop("down1", 16, 16), up, port}},
                  {.gpu = 2, .hops = {hop("gpu2", 5, 4), hop("port2", 5, 4)}}};
    return plan;
}

TEST(DirectPath, GoesOverTheBridgeThatBothShare) {
    const DrawnPath path = direct_path(three_gpus(), 0, 1, Reading::idle);
    EXPECT_EQ(path.over, "the bridge up");
    ASSERT_EQ(path.hops.size(), 4u);
    EXPECT_EQ(path.hops[0].hop.device, "gpu0");
    EXPECT_EQ(path.hops[3].hop.device, "gpu1");
    EXPECT_NEAR(*path.ceiling.gb_per_s, 15.75, 0.006);
    EXPECT_EQ(path.ceiling.narrowest, "down0 (16 GT/s x8)");
}

TEST(DirectPath, GoesOverTheRootWhereNothingIsShared) {
    const DrawnPath path = direct_path(three_gpus(), 0, 2, Reading::idle);
    EXPECT_EQ(path.over, "the root complex");
    EXPECT_EQ(path.hops.size(), 6u);
    EXPECT_NEAR(*path.ceiling.gb_per_s, 0.985, 0.0006);
    EXPECT_EQ(path.ceiling.narrowest, "up (8 GT/s x1)");
}

TEST(DirectPath, TakesTheLinkUnderLoadInPlaceOfTheIdleOne) {
    Plan plan = three_gpus();
    plan.links[2].hops = {hop("gpu2", 2.5, 4, 5, 4), hop("port2", 5, 4)};
    plan.links[0].hops = {hop("gpu0", 16, 16), hop("port0", 16, 16)};
    EXPECT_DOUBLE_EQ(*direct_path(plan, 0, 2, Reading::idle).ceiling.gb_per_s, 1.0);
    EXPECT_DOUBLE_EQ(
        *direct_path(plan, 0, 2, Reading::under_load, {.loads = {{2, hop("gpu2", 5, 4)}}}).ceiling.gb_per_s,
        2.0);
}

TEST(HostPath, IsReadIdleUnderLoadAndAtMost) {
    Plan plan = three_gpus();
    plan.links[2].hops = {hop("gpu2", 2.5, 4, 5, 4)};
    EXPECT_DOUBLE_EQ(*host_path(plan, 2, Reading::idle).ceiling.gb_per_s, 1.0);
    EXPECT_DOUBLE_EQ(*host_path(plan, 2, Reading::most).ceiling.gb_per_s, 2.0);
    EXPECT_DOUBLE_EQ(
        *host_path(plan, 2, Reading::under_load, {.loads = {{2, hop("gpu2", 5, 4)}}}).ceiling.gb_per_s, 2.0);
    EXPECT_DOUBLE_EQ(*host_path(plan, 2, Reading::under_load).ceiling.gb_per_s, 2.0) << "not read: the most";
}

TEST(StagedPath, GoesUpToTheRootAndDownAgain) {
    const DrawnPath path = staged_path(three_gpus(), 0, 1, Reading::idle);
    EXPECT_EQ(path.hops.size(), 8u);
    EXPECT_NEAR(*path.ceiling.gb_per_s, 0.985,
                0.0006);  // the upstream port that the direct path does not meet
}

TEST(Paths, WithOneHopUnknownAreUnknown) {
    Plan plan = three_gpus();
    plan.links[0].hops[1].lanes.reset();
    plan.links[0].hops[1].unknown = "current_link_width says '0'";
    const DrawnPath path = direct_path(plan, 0, 1, Reading::idle);
    EXPECT_FALSE(path.ceiling.known());
    EXPECT_EQ(path.ceiling.unknown, "down0: current_link_width says '0'");
    plan.links[0] = {.gpu = 0, .unknown = "no such device"};
    EXPECT_EQ(direct_path(plan, 0, 1, Reading::idle).ceiling.unknown, "gpu0: no such device");
    plan.links.clear();
    EXPECT_EQ(direct_path(plan, 0, 1, Reading::idle).ceiling.unknown, "the links were not read");
}

// Two GPUs with a port each on one root.
Plan two_ports() {
    Plan plan;
    for (int i = 0; i < 2; ++i) {
        const std::string n = std::to_string(i);
        plan.gpus.push_back({.index = i, .bus_id = "0000:0" + n + ":00.0", .name = "NVIDIA A100"});
        plan.links.push_back(
            {.gpu = i, .hops = {hop("gpu" + n, 8, 8), hop("port" + n, 8, 8)}, .root = "pci0000:00"});
    }
    return plan;
}
std::string why_not_direct(const Plan& plan, const Observed& seen = {}) {
    return direct_path(plan, 0, 1, Reading::idle, seen).ceiling.unknown;
}

TEST(Ports, ThatAreNotWhatTheySayHaveNoCeiling) {
    EXPECT_EQ(why_not_direct(two_ports()), "");
    Plan plan = two_ports();
    plan.links[0].hops[1].kind = "virtual root port (QEMU)";
    EXPECT_EQ(why_not_direct(plan),
              "port0 (8 GT/s x8): a port that a virtual machine makes up: what it says is no ceiling");
    plan.links[0].hops[1].kind = "tunnelled root port";
    EXPECT_EQ(
        why_not_direct(plan),
        "port0 (8 GT/s x8): a tunnel (USB4, Thunderbolt): its ports say generation 1, whatever they carry");
    for (const int gpu : {0, 1}) EXPECT_EQ(host_path(plan, gpu, Reading::idle).ceiling.known(), gpu == 1);
    EXPECT_FALSE(staged_path(plan, 0, 1, Reading::idle).ceiling.known());
    EXPECT_FALSE(direct_path(plan, 0, 1, Reading::idle).ceiling.hard_gb_per_s)
        << "nor is anything impossible there";
}

TEST(Ports, OfGeneration1AboveWhatDoesMoreHaveNoCeiling) {
    Plan plan = two_ports();
    for (const int lanes : {1, 32}) {
        plan.links[1].hops[1] = hop("port1", 2.5, lanes);
        EXPECT_NE(why_not_direct(plan).find("generation 1 at most above a device that does more"),
                  std::string::npos);
    }
    plan.links[1].hops[1] = hop("port1", 2.5, 8, 8, 8);
    EXPECT_EQ(why_not_direct(plan), "") << "it idles";
    plan.links[1].hops = {hop("gpu1", 2.5, 8), hop("port1", 2.5, 8)};
    EXPECT_EQ(why_not_direct(plan), "") << "a link of generation 1 from end to end";
}

TEST(Ports, ThatSayMoreThanTheyCanHaveNoCeiling) {
    Plan plan = two_ports();
    plan.links[0].hops[1].max_lanes = 1;
    EXPECT_EQ(why_not_direct(plan), "port0 (8 GT/s x8): it says that it is more than it can be at most");
    plan = two_ports();
    plan.links[0].hops[1].max_speed = 5;
    EXPECT_EQ(why_not_direct(plan), "port0 (8 GT/s x8): it says that it is more than it can be at most");
}

TEST(HostLink, BesidePcieLeavesNoCeiling) {
    Plan plan = two_ports();
    plan.links[1].host_link = "C2C (NVML)";
    EXPECT_EQ(why_not_direct(plan), "gpu1 reaches host memory beside PCIe: C2C (NVML)");
    EXPECT_EQ(host_path(plan, 1, Reading::idle).ceiling.unknown,
              "gpu1 reaches host memory beside PCIe: C2C (NVML)");
    EXPECT_FALSE(staged_path(plan, 0, 1, Reading::idle).ceiling.known());
    EXPECT_TRUE(host_path(plan, 0, Reading::idle).ceiling.known());
}

TEST(HostLink, IsKnownByTheNameOfTheGpu) {
    const std::pair<const char*, bool> names[] = {{"NVIDIA GH200 480GB", true},
                                                  {"NVIDIA GB200", true},
                                                  {"GB300", true},
                                                  {"NVIDIA GB10", true},
                                                  {"NVIDIA H200", false},
                                                  {"Example GPU 32 GB", false},
                                                  {"NVIDIA A100-SXM4-80GB", false},
                                                  {"GB", false},
                                                  {"", false}};
    for (const auto& [name, beside] : names) {
        Plan plan = two_ports();
        plan.gpus[0].name = name;
        EXPECT_EQ(host_path(plan, 0, Reading::idle).ceiling.known(), !beside) << name;
    }
}

TEST(Roots, OfWhichThereAreTwoLeaveThePathBetweenThemUnknown) {
    Plan plan = two_ports();
    plan.links[1].root = "pci0000:97";
    for (const auto& [from, to] : {std::pair{0, 1}, std::pair{1, 0}}) {
        const DrawnPath path = direct_path(plan, from, to, Reading::idle);
        EXPECT_EQ(path.over, "what lies between pci0000:00 and pci0000:97");
        EXPECT_FALSE(path.ceiling.known());
        EXPECT_NEAR(path.ceiling.hard_gb_per_s.value(), 7.88, 0.006) << "less it can be, and more it cannot";
    }
    EXPECT_TRUE(staged_path(plan, 0, 1, Reading::idle).ceiling.known());
}

// Bytes that host and GPU verified went faster than a hop says it can: the hop lies, or there is another
// way.
TEST(Hops, ThatVerifiedHostTransfersExceedAreNoCeiling) {
    const Plan plan = two_ports();
    EXPECT_EQ(why_not_direct(plan, {.host = {{1, 55}}}),
              "port1 (8 GT/s x8) is no ceiling: gpu1 and host memory moved 55.00 GB/s, every byte verified");
    EXPECT_FALSE(direct_path(plan, 0, 1, Reading::idle, {.host = {{1, 55}}}).ceiling.hard_gb_per_s);
    EXPECT_EQ(why_not_direct(plan, {.host = {{0, 7.8}, {1, 7.8}}}), "") << "within what they say";
    EXPECT_FALSE(staged_path(plan, 1, 0, Reading::idle, {.host = {{0, 55}}}).ceiling.known());
    EXPECT_TRUE(host_path(plan, 0, Reading::idle, {.host = {{1, 55}}}).ceiling.known()) << "another GPU's";
}

TEST(HostPath, OfAWayThatIsNotWholeHasNoCeiling) {
    Plan plan = two_ports();
    plan.links[0].unknown = "there is no bridge above the GPU";
    EXPECT_EQ(host_path(plan, 0, Reading::idle).ceiling.unknown, "gpu0: there is no bridge above the GPU");
}

Plan with_nvlinks(const std::string& kind, const std::string& remote0, const std::string& remote1) {
    Plan plan = three_gpus();
    for (int link = 0; link < 4; ++link) {
        plan.links[0].nvlinks.push_back({link, true, 26562, remote0, kind});
        plan.links[1].nvlinks.push_back({link, link < 3, 26562, remote1, kind});
    }
    return plan;
}

TEST(NvLink, CountsTheLinksThatLeadToThePeer) {
    const Plan plan = with_nvlinks("gpu", "0000:01:00.0", "0000:00:00.0");
    const DrawnPath path = direct_path(plan, 0, 1, Reading::idle);
    EXPECT_EQ(path.over, "NVLink");
    EXPECT_NEAR(*path.ceiling.gb_per_s, 3 * 26.562, 1e-9) << "the GPU with fewer active links counts";
    EXPECT_EQ(direct_path(plan, 0, 2, Reading::idle).over, "the root complex");
    EXPECT_EQ(nvlinks_between(plan, 0, 1), 4);
    EXPECT_EQ(nvlinks_between(plan, 1, 0), 3);
    EXPECT_EQ(nvlinks_between(plan, 0, 2), 0);
}

TEST(NvLink, ThroughASwitchEveryActiveLinkCounts) {
    const Plan plan = with_nvlinks("switch", "0000:d0:00.0", "0000:d0:00.0");
    EXPECT_NEAR(*direct_path(plan, 1, 0, Reading::idle).ceiling.gb_per_s, 3 * 26.562, 1e-9);
    EXPECT_EQ(staged_path(plan, 1, 0, Reading::idle).over, "host memory");
}

TEST(NvLink, ThatCannotBeRuledOutLeavesNoCeiling) {
    const auto why = [](const Plan& plan) { return direct_path(plan, 0, 1, Reading::idle).ceiling.unknown; };
    Plan plan = three_gpus();
    plan.links[1].nvlink_unknown = "libnvidia-ml.so.1: cannot open shared object file";
    EXPECT_EQ(why(plan), "gpu1: NVLink: libnvidia-ml.so.1: cannot open shared object file");
    EXPECT_TRUE(staged_path(plan, 0, 1, Reading::idle).ceiling.known()) << "PCIe, whatever joins them";
    EXPECT_EQ(why(with_nvlinks("unknown", "", "")),
              "gpu0: NVLink 0 is active, and NVML does not say what is at its other end");
    plan = with_nvlinks("gpu", "0000:01:00.0", "0000:00:00.0");
    plan.links[1].nvlinks.clear();
    EXPECT_EQ(why(plan), "one GPU says that NVLink joins them, and the other that none does");
    plan = with_nvlinks("gpu", "0000:02:00.0", "0000:02:00.0");
    EXPECT_EQ(why(plan), "") << "all of them lead to a third GPU";
}

TEST(NvLink, WhoseSpeedIsNotSaidHasNoCeiling) {
    Plan plan = with_nvlinks("switch", "", "");
    plan.links[1].nvlinks[0].mb_per_s = 0;
    const DrawnPath path = direct_path(plan, 0, 1, Reading::idle);
    EXPECT_FALSE(path.ceiling.known());
    EXPECT_EQ(path.ceiling.unknown, "NVML does not say how fast the NVLinks are");
}

}  // namespace
}  // namespace peerproof
