// Which cases run side by side: measurements, that is, since all others hold their own GPUs.
#include "session/held_gpus.hpp"

#include <gtest/gtest.h>

#include "session/format.hpp"

namespace peerproof {
namespace {

using Gpus = std::vector<int>;

Case measurement(const std::string& check, const Gpus& gpus) {
    return {.id = "measurement." + check + "." + place_name(gpus),
            .test = {},
            .family = Family::measurement,
            .check = check,
            .gpus = gpus,
            .accepted = {},
            .after = {}};
}

std::string bus_id(int gpu) { return format("0000:{:02x}:00.0", 0x10 + gpu); }

// Each on a root port of its own.
Plan plan_of(int gpus) {
    Plan plan;
    for (int i = 0; i < gpus; ++i) {
        plan.gpus.push_back({.index = i, .bus_id = bus_id(i)});
        plan.links.push_back({.gpu = i,
                              .hops = {{.device = bus_id(i), .kind = "gpu"},
                                       {.device = format("root{}", i), .kind = "root port"}},
                              .root = "pci0000:00"});
    }
    return plan;
}

void put_behind_switch(Plan& plan, int gpu, const std::string& name) {
    auto& hops = plan.links[static_cast<std::size_t>(gpu)].hops;
    hops.back() = {.device = name + " root", .kind = "root port"};
    hops.insert(hops.begin() + 1, {{.device = format("{} port{}", name, gpu), .kind = "switch port"},
                                   {.device = name, .kind = "switch port"}});
}

void bridge(Plan& plan, int a, int b, const std::string& kind = "gpu") {
    for (const auto& [gpu, other] : {std::pair{a, b}, std::pair{b, a}})
        plan.links[static_cast<std::size_t>(gpu)].nvlinks.push_back(
            {.link = 0, .active = true, .mb_per_s = 26562, .remote = bus_id(other), .remote_kind = kind});
}

const Gpus all_four{0, 1, 2, 3};
Gpus held_by_read(const Plan& plan) { return held_gpus(plan, measurement("read_bandwidth", {0, 1})); }

TEST(HeldGpus, AreThoseOfTheCaseBesideMeasurements) {
    Case one = measurement("read", {2, 0});
    for (const Family family : {Family::control, Family::core, Family::evidence, Family::way,
                                Family::collective, Family::closing}) {
        one.family = family;
        EXPECT_EQ(held_gpus(plan_of(4), one), (Gpus{2, 0}));
    }
}

TEST(HeldGpus, OverNvLinkAreTheTwo) {
    Plan plan = plan_of(4);
    bridge(plan, 0, 1);
    EXPECT_EQ(held_by_read(plan), (Gpus{0, 1}));
    EXPECT_EQ(held_gpus(plan, measurement("read_bandwidth", {0, 2})), all_four) << "no link of these two";
    plan.links[1].nvlinks[0].active = false;
    EXPECT_EQ(held_by_read(plan), all_four) << "one end of it is down";
    Plan switched = plan_of(4);
    bridge(switched, 0, 1, "switch");
    EXPECT_EQ(held_by_read(switched), (Gpus{0, 1}));
    Plan elsewhere = plan_of(4);
    bridge(elsewhere, 0, 2);
    bridge(elsewhere, 1, 3);
    EXPECT_EQ(held_by_read(elsewhere), all_four);
}

TEST(HeldGpus, BehindOneSwitchAreAllThatAreBehindIt) {
    Plan plan = plan_of(6);
    for (const int gpu : {0, 1, 2}) put_behind_switch(plan, gpu, "east");
    for (const int gpu : {3, 4}) put_behind_switch(plan, gpu, "west");
    EXPECT_EQ(held_by_read(plan), (Gpus{0, 1, 2})) << "gpu2 may be sent up the same link";
    EXPECT_EQ(held_gpus(plan, measurement("ping_pong", {3, 4})), (Gpus{3, 4}));
    EXPECT_EQ(held_gpus(plan, measurement("read_bandwidth", {0, 3})).size(), 6u)
        << "through the root complex";
    EXPECT_EQ(held_gpus(plan, measurement("read_bandwidth", {0, 5})).size(), 6u);
}

// A shared port above two switches is shared as well.
TEST(HeldGpus, BehindAnUpperBridgeAreAllThatAreBehindIt) {
    Plan plan = plan_of(4);
    for (const int gpu : {0, 1}) put_behind_switch(plan, gpu, "low");
    put_behind_switch(plan, 2, "other");
    for (const std::size_t gpu : {0u, 1u, 2u}) plan.links[gpu].hops.back().device = "upper root";
    EXPECT_EQ(held_by_read(plan), (Gpus{0, 1, 2}));
}

TEST(HeldGpus, AreAllWhereBytesMayGoThroughTheHost) {
    Plan plan = plan_of(4);
    bridge(plan, 0, 1);
    for (const char* check : {"copy_bandwidth", "staged_copy_bandwidth", "bidirectional_copy_bandwidth"})
        EXPECT_EQ(held_gpus(plan, measurement(check, {0, 1})), all_four) << check;
    EXPECT_EQ(held_gpus(plan, measurement("host_link", {1})), all_four);
    EXPECT_EQ(held_gpus(plan, measurement("own_bandwidth", {1})), Gpus{1});
}

// A way up that is not whole may meet any other above what is known of it.
TEST(HeldGpus, AreAllWhereTheLinksDoNotSay) {
    Plan whole = plan_of(4);
    for (const int gpu : {0, 1}) put_behind_switch(whole, gpu, "east");
    ASSERT_EQ(held_by_read(whole), (Gpus{0, 1}));
    Plan plan = whole;
    plan.links.clear();
    EXPECT_EQ(held_by_read(plan), all_four);
    plan = whole;
    plan.links[3].unknown = "no root port";
    EXPECT_EQ(held_by_read(plan), all_four);
    plan = whole;
    plan.links[2].hops[1].kind = "virtual root port (QEMU)";
    EXPECT_EQ(held_by_read(plan), all_four);
    plan = whole;
    plan.links[0].nvlink_unknown = "there is no NVML";
    EXPECT_EQ(held_by_read(plan), all_four);
    plan = whole;
    plan.links[1].nvlinks = {{.link = 0, .active = true, .remote_kind = "unknown"}};
    EXPECT_EQ(held_by_read(plan), all_four);
}

}  // namespace
}  // namespace peerproof
