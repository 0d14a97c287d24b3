#include "session/forecast.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace peerproof {
namespace {

namespace fs = std::filesystem;

Plan plan_of_two() {
    Plan plan{.session = "s", .run = 7, .suite = "0.1.0", .started = "2026-01-01T00:00:00Z"};
    for (int i = 0; i < 2; ++i)
        plan.gpus.push_back({i, "GPU-" + std::to_string(i), "0000:01:00.0", "GPU", 64, "9.0"});
    const auto add = [&](Family family, const char* check, std::vector<int> gpus) {
        plan.cases.push_back({.id = case_id(family, check, place_name(gpus)),
                              .test = "t",
                              .family = family,
                              .check = check,
                              .gpus = gpus,
                              .accepted = {Outcome::delivered},
                              .after = {},
                              .title = check});
    };
    add(Family::control, "positive", {0});
    for (const char* check : {"copy", "read"}) {
        add(Family::core, check, {0, 1});
        add(Family::core, check, {1, 0});
    }
    return plan;
}

class LastSession : public ::testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/peerproof forecast XXXXXX";
        folder = ::mkdtemp(name);
        report = {{"session", "before"},
                  {"plan", to_json(plan)},
                  {"time", {{"checks", {{{"check", "core.read"}, {"cases", 4}, {"seconds", 10.0}}}}}}};
    }
    void TearDown() override { fs::remove_all(folder); }

    double expected_of_read() const {
        std::ofstream{folder / "report.json"} << report.dump();
        return expected_costs(plan, folder).of(*plan.find("core.read.gpu0_to_gpu1"));
    }

    Plan plan = plan_of_two();
    nlohmann::json report;
    fs::path folder;
};

TEST(Forecast, CountsTheTestsByFamily) {
    EXPECT_EQ(tests_text(plan_of_two()),
              "7 tests on 2 GPUs: 1 control, 4 core checks, 2 of the session itself");
    Plan plan = plan_of_two();
    plan.cases[0].family = static_cast<Family>(99);  // one that has no name here
    EXPECT_EQ(tests_text(plan).substr(0, 40), "7 tests on 2 GPUs: 4 core checks, 1 ?, 2");
}

TEST(Forecast, SaysTheTimeOfSoManyAtOnceOrOfBothEnds) {
    const CaseCosts costs{.of_family = {{Family::control, 1}, {Family::core, 20}},
                          .source = "as a test says"};
    EXPECT_EQ(time_text(plan_of_two(), costs, 4), "about 1 min 21 s with 4 at once, as a test says");
    EXPECT_EQ(time_text(plan_of_two(), costs, std::nullopt),
              "about 1 min 21 s one at a time, 1 min 21 s with 2 at once, as a test says");
}

TEST(Forecast, KnowsTheJobsThatCtestWasTold) {
    EXPECT_EQ(jobs_from("8"), 8);
    for (const char* none : {"", "0", "-1", "8x", "99999"}) EXPECT_EQ(jobs_from(none), std::nullopt) << none;
    EXPECT_EQ(jobs_from(nullptr), std::nullopt);
}

TEST_F(LastSession, OfThisBenchSaysWhatACaseTakes) {
    EXPECT_EQ(expected_of_read(), 2.5);
    EXPECT_EQ(expected_costs(plan, folder).source, "by what session before took");
    const Case& copy = *plan.find("core.copy.gpu0_to_gpu1");
    EXPECT_EQ(expected_costs(plan, folder).of(copy), measured_costs(false).of(copy))
        << "it says nothing of it";
}

TEST_F(LastSession, OfAnotherBenchOrOtherSizesSaysNothing) {
    const double measured = measured_costs(false).of(*plan.find("core.read.gpu0_to_gpu1"));
    const nlohmann::json same = report;
    report["plan"]["gpus"][1]["uuid"] = "GPU-9";
    EXPECT_EQ(expected_of_read(), measured);
    report = same;
    report["plan"]["simulated"] = "open-x2";
    EXPECT_EQ(expected_of_read(), measured);
    report = same;
    report["plan"]["large_step_mib"] = 16;
    EXPECT_EQ(expected_of_read(), measured);
    report = same;
    report["plan"]["measurements"] = "off";
    EXPECT_EQ(expected_of_read(), measured);
}

TEST_F(LastSession, ThatCannotBeReadSaysNothing) {
    const double measured = measured_costs(false).of(*plan.find("core.read.gpu0_to_gpu1"));
    EXPECT_EQ(expected_costs(plan, folder / "nowhere").source, measured_costs(false).source);
    const nlohmann::json same = report;
    report.erase("time");
    EXPECT_EQ(expected_of_read(), measured) << "of a version before";
    report = same;
    report["time"]["checks"][0]["seconds"] = -1;
    EXPECT_EQ(expected_of_read(), measured);
    report["time"]["checks"][0]["cases"] = "many";
    EXPECT_EQ(expected_of_read(), measured);
}

TEST_F(LastSession, LeavesItsCostsWhereTheProgressFindsThem) {
    CaseCosts costs = measured_costs(false);
    costs.of_check["core.read"] = 2.5;
    costs.source = "by what session before took";
    write_costs(costs, folder);
    EXPECT_EQ(read_costs(plan, folder).of(*plan.find("core.read.gpu1_to_gpu0")), 2.5);
    EXPECT_EQ(read_costs(plan, folder).source, costs.source);
    std::ofstream{folder / "costs.json"} << "{";
    EXPECT_EQ(read_costs(plan, folder).source, measured_costs(false).source);
}

}  // namespace
}  // namespace peerproof
