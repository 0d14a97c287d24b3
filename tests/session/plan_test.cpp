#include "session/plan.hpp"

#include <gtest/gtest.h>

#include "session/json.hpp"

namespace peerproof {
namespace {

Plan sample() {
    Plan plan{.session = "s", .run = 7, .suite = "0.1.0", .started = "2026-01-01T00:00:00Z"};
    plan.expectation = Expectation::locked;
    plan.gpus_wanted = 2;
    plan.simulated = "locked-x2";
    plan.environment = {{"host", "bench7"}};
    for (int i = 0; i < 2; ++i)
        plan.gpus.push_back({i, "GPU-" + std::to_string(i), "0000:01:00.0", "<b>x</b>", 64, "9.0"});
    plan.cases.push_back({"core.read.gpu0_to_gpu1",
                          "Core/Read.Arrives/gpu0_to_gpu1",
                          Family::core,
                          "read",
                          {0, 1},
                          {Outcome::illegal_address},
                          {"control.fault.gpu0"},
                          false,
                          "Kernel on B reads A's memory",
                          12});
    plan.measurements = Measurements::brief;
    plan.not_run = {{"collective", "no libnccl.so.2"}};
    Hop gpu{.device = "0000:01:00.0", .kind = "gpu", .speed = 2.5, .lanes = 16, .source = "/sys"};
    gpu.unknown = "no max_link_speed";
    plan.links = {{.gpu = 0, .hops = {gpu}, .root = "pci0000:00", .unknown = "no root port"},
                  {.gpu = 1, .nvlinks = {{0, true, 26562, "0000:01:00.0", "gpu"}}, .nvlink_source = "NVML"}};
    plan.hints = {{"iommu", Hint::none, Hint::none, "off", "/sys/kernel/iommu_groups"}};
    return plan;
}

TEST(Plan, SurvivesItsFile) {
    const auto json = to_json(sample());
    EXPECT_EQ(to_json(plan_from_json(json, "plan.json")), json);
    const Plan plan = plan_from_json(json, "plan.json");
    EXPECT_EQ(plan.simulated, "locked-x2");
    EXPECT_EQ(plan.gpus.at(1).uuid, "GPU-1");
    EXPECT_EQ(plan.cases.at(0).accepted, std::vector{Outcome::illegal_address});
    ASSERT_NE(plan.find("core.read.gpu0_to_gpu1"), nullptr);
    EXPECT_EQ(plan.find("core.read.gpu1_to_gpu0"), nullptr);
    EXPECT_FALSE(plan.cases.at(0).gates);
    EXPECT_EQ(plan.cases.at(0).title, "Kernel on B reads A's memory");
    EXPECT_EQ(plan.cases.at(0).number, 12);
    EXPECT_EQ(plan.measurements, Measurements::brief);
    EXPECT_EQ(plan.not_run.at("collective"), "no libnccl.so.2");
    EXPECT_EQ(plan.links.at(0).hops.at(0).speed, 2.5);
    EXPECT_EQ(plan.links.at(0).hops.at(0).max_lanes, std::nullopt);
    EXPECT_EQ(plan.links.at(1).nvlinks.at(0).mb_per_s, 26562);
    EXPECT_EQ(plan.hints.at(0).peer, Hint::none);
}

// What earlier versions wrote is read still; a person reads the name of the check where it had no title.
TEST(Plan, OfEarlierVersionsIsRead) {
    auto json = to_json(sample());
    json["schema"] = "peerproof.plan/3";
    json["cases"][0].erase("title");
    json["cases"][0].erase("number");
    json["cases"][0]["check"] = "staged_copy";
    const Plan third = plan_from_json(json, "plan.json");
    EXPECT_EQ(third.cases.at(0).title, "Staged copy");
    EXPECT_EQ(third.cases.at(0).number, 0);
    EXPECT_EQ(third.large_step_mib, 256);
    json["schema"] = "peerproof.plan/2";
    json.erase("large_step_mib");
    const Plan second = plan_from_json(json, "plan.json");
    EXPECT_EQ(second.cases.at(0).title, "Staged copy");
    EXPECT_EQ(second.large_step_mib, 0);
    json["schema"] = "peerproof.plan/4";
    json["large_step_mib"] = 256;
    EXPECT_THROW(plan_from_json(json, "plan.json"), FormatError);
}

TEST(Plan, SaysWhichWaysAreRequiredWhereSomeAre) {
    EXPECT_FALSE(to_json(sample()).contains("required_ways")) << "as plans of before there were ways";
    Plan plan = sample();
    plan.required_ways = {"ipc", "graph"};
    EXPECT_EQ(plan_from_json(to_json(plan), "plan.json").required_ways, plan.required_ways);
}

TEST(Plan, RefusesWhatItsFormatDoesNotAllow) {
    const auto refused = [](const char* pointer, const nlohmann::json& value) {
        auto json = to_json(sample());
        json[nlohmann::json::json_pointer(pointer)] = value;
        try {
            plan_from_json(json, "plan.json");
        } catch (const FormatError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(refused("/schema", "peerproof.plan/1").find("another version"), std::string::npos);
    EXPECT_NE(refused("/expectation", "maybe").find("'expectation' must be open, locked or baseline"),
              std::string::npos);
    EXPECT_NE(refused("/run", 1 << 24).find("'run'"), std::string::npos);
    EXPECT_NE(refused("/gpus/1/index", 5).find("by index"), std::string::npos);
    EXPECT_NE(refused("/cases/0/gpus", {0, 2}).find("not in the plan"), std::string::npos);
    EXPECT_NE(refused("/cases/0/id", "../../etc/passwd").find("cases[0].id"), std::string::npos);
    EXPECT_NE(refused("/cases/0/id", "..").find("cases[0].id"), std::string::npos);
    EXPECT_NE(refused("/cases/0/id", "core/read").find("cases[0].id"), std::string::npos);
    EXPECT_NE(refused("/expectation", "baseline").find("what a baseline says, and has none"),
              std::string::npos);
    EXPECT_NE(refused("/cases/0/title", "").find("cases[0].title"), std::string::npos);
    EXPECT_NE(refused("/cases/0/number", 251).find("cases[0].number"), std::string::npos);
    EXPECT_NE(refused("/cases/0/family", "cores").find("cases[0].family"), std::string::npos);
    EXPECT_NE(refused("/cases/0/accepted", {"open"}).find("unknown outcome"), std::string::npos);
    EXPECT_NE(refused("/links/0/hops/0/gt_per_s", -1).find("links[0].hops[0].gt_per_s"), std::string::npos);
    EXPECT_NE(refused("/links/0/hops/0/lanes", 0).find("links[0].hops[0].lanes"), std::string::npos);
    EXPECT_NE(refused("/hints/0/gpu", -2).find("hints[0].gpu"), std::string::npos);
    EXPECT_NE(refused("/measurements", "some").find("full, brief or off"), std::string::npos);
    EXPECT_NE(refused("/required_ways", {"ipc", "ipx"}).find("'required_ways' holds an unknown way"),
              std::string::npos);
    EXPECT_NE(refused("/environment", 5).find("'environment'"), std::string::npos);
}

TEST(PlaceOf, IsTheLastPartOfTheId) { EXPECT_EQ(place_of(sample().cases.at(0)), "gpu0_to_gpu1"); }

TEST(PlaceName, IsThatOfAPairOrOfAGpu) {
    EXPECT_EQ(place_name({3, 12}), "gpu3_to_gpu12");
    EXPECT_EQ(place_name({0}), "gpu0");
}

}  // namespace
}  // namespace peerproof
