#include "session/planned_ways.hpp"

#include <gtest/gtest.h>

#include "session/settings.hpp"
#include "session/ways.hpp"

namespace peerproof {
namespace {

Case way(const char* name, int number) {
    return {.id = std::string("way.") + name + ".gpu0_to_gpu1",
            .test = "T",
            .family = Family::way,
            .check = name,
            .gpus = {0, 1},
            .accepted = {Outcome::delivered, Outcome::refused, Outcome::not_applicable},
            .title = name,
            .number = number};
}

// Two GPUs, a core check and every way but widths.
Plan plan_of_ways() {
    Plan plan;
    plan.gpus = {{.index = 0}, {.index = 1}};
    plan.cases.push_back({.id = "core.read.gpu0_to_gpu1", .family = Family::core, .check = "read"});
    for (const WayName& one : all_ways) {
        if (one.name != "widths") plan.cases.push_back(way(std::string(one.name).c_str(), one.number));
    }
    return plan;
}

std::string usage_error(Plan plan, const std::vector<std::string>& required) {
    try {
        require_ways(plan, required);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(PlannedWays, AreThoseThatAreWanted) {
    Plan plan = plan_of_ways();
    keep_ways(plan, names_of_ways(), "why");
    EXPECT_EQ(plan.cases.size(), 7u);
    EXPECT_TRUE(plan.not_run.empty());
    keep_ways(plan, {"vmm", "graph"}, "PEERPROOF_WAYS leaves out");
    ASSERT_EQ(plan.cases.size(), 3u);
    EXPECT_EQ(plan.cases[0].check, "read");
    EXPECT_EQ(plan.cases[1].check, "vmm");
    EXPECT_EQ(plan.cases[2].check, "graph");
    EXPECT_EQ(plan.not_run.at("ways"), "PEERPROOF_WAYS leaves out: ipc, pool, atomics, order, widths");
    keep_ways(plan, {}, "PEERPROOF_WAYS is off");
    EXPECT_EQ(plan.cases.size(), 1u);
    EXPECT_EQ(plan.not_run.at("ways"), "PEERPROOF_WAYS is off");
}

TEST(PlannedWays, ThatAreRequiredMustDeliverAndGate) {
    Plan plan = plan_of_ways();
    for (Case& one : plan.cases) one.gates = false;
    require_ways(plan, {"ipc"});
    const Case& ipc = *plan.find("way.ipc.gpu0_to_gpu1");
    EXPECT_EQ(ipc.accepted, std::vector{Outcome::delivered});
    EXPECT_TRUE(ipc.gates);
    EXPECT_EQ(plan.find("way.vmm.gpu0_to_gpu1")->accepted.size(), 3u);
    EXPECT_FALSE(plan.find("way.vmm.gpu0_to_gpu1")->gates);
    EXPECT_EQ(plan.required_ways, std::vector<std::string>{"ipc"});
}

TEST(PlannedWays, AreNotRequiredWhereThereIsNoCheckOrTheFileExpectsAnother) {
    EXPECT_EQ(usage_error(plan_of_ways(), {"ipc", "vmm"}), "accepted");
    EXPECT_EQ(usage_error(plan_of_ways(), {"widths"}),
              "PEERPROOF_REQUIRE: widths is required, and there is no check of it");
    Plan plan = plan_of_ways();
    plan.cases[1].accepted = {Outcome::refused};
    EXPECT_EQ(usage_error(plan, {"ipc"}),
              "PEERPROOF_REQUIRE: ipc is required, and way.ipc.gpu0_to_gpu1 is expected to be refused");
}

TEST(PlannedWays, AreThoseThatHaveANameHere) {
    EXPECT_NO_THROW(need_known_ways(plan_of_ways().cases));
    EXPECT_THROW(need_known_ways({way("usb", 51)}), std::logic_error);
    EXPECT_THROW(need_known_ways({way("ipc", 52)}), std::logic_error);
}

}  // namespace
}  // namespace peerproof
