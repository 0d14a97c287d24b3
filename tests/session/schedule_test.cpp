#include "session/schedule.hpp"

#include <gtest/gtest.h>

#include "session/duration.hpp"

namespace peerproof {
namespace {

Case one(Family family, const std::string& check, const std::vector<int>& gpus) {
    return {.id = case_id(family, check, place_name(gpus)),
            .test = {},
            .family = family,
            .check = check,
            .gpus = gpus,
            .accepted = {},
            .after = {}};
}

Plan plan_of(int gpus) {
    Plan plan;
    for (int i = 0; i < gpus; ++i) plan.gpus.push_back({.index = i});
    return plan;
}

const CaseCosts costs{.of_family = {{Family::control, 1}, {Family::core, 10}, {Family::closing, 1}},
                      .of_check = {{"core.slow", 100}, {"collective.all_reduce", 5}},
                      .source = "as a test says"};

TEST(Schedule, RunsWhatSharesNoGpuSideBySide) {
    Plan plan = plan_of(4);
    plan.cases = {one(Family::core, "read", {0, 1}), one(Family::core, "read", {1, 2}),
                  one(Family::core, "read", {2, 3})};
    EXPECT_EQ(seconds_of(plan, costs, 1), 30);
    EXPECT_EQ(seconds_of(plan, costs, 2), 20);
    EXPECT_EQ(seconds_of(plan, costs, 8), 20) << "gpu1_to_gpu2 shares a GPU with both of the others";
}

TEST(Schedule, KeepsToTheNumberOfWorkers) {
    Plan plan = plan_of(8);
    for (int i = 0; i < 8; i += 2) plan.cases.push_back(one(Family::core, "read", {i, i + 1}));
    EXPECT_EQ(seconds_of(plan, costs, 4), 10);
    EXPECT_EQ(seconds_of(plan, costs, 3), 20);
}

TEST(Schedule, HasControlsFirstAndClosingsLast) {
    Plan plan = plan_of(4);
    plan.cases = {one(Family::closing, "still_there", {0}), one(Family::core, "read", {2, 3}),
                  one(Family::control, "positive", {1})};
    EXPECT_EQ(seconds_of(plan, costs, 8), 12);
}

TEST(Schedule, WaitsForWhatComesBefore) {
    Plan plan = plan_of(4);
    plan.cases = {one(Family::core, "read", {0, 1}), one(Family::core, "slow", {2, 3})};
    EXPECT_EQ(seconds_of(plan, costs, 8), 100);
    plan.cases[0].after = {plan.cases[1].id, "core.of_no_plan.gpu0"};
    EXPECT_EQ(seconds_of(plan, costs, 8), 110);
    EXPECT_EQ(seconds_of(plan, costs, 8, {plan.cases[1].id}), 10) << "that has ended";
}

TEST(Schedule, HasASoakForAsLongAsItIsAsked) {
    Plan plan = plan_of(2);
    plan.soak_s = 600;
    plan.cases = {one(Family::core, "read", {0, 1}), one(Family::soak, "rounds", {0, 1})};
    EXPECT_EQ(seconds_of(plan, costs, 8), 610) << "whatever another took";
}

TEST(Schedule, RunsAFamilyAloneWhereItIsAsked) {
    Plan plan = plan_of(4);
    plan.cases = {one(Family::collective, "all_reduce", {0, 1}),
                  one(Family::collective, "all_reduce", {2, 3})};
    EXPECT_EQ(seconds_of(plan, costs, 8), 5);
    EXPECT_EQ(seconds_of(plan, costs, 8, {}, {Family::collective}), 10);
}

TEST(Schedule, EndsWhereCasesWaitForEachOther) {
    Plan plan = plan_of(2);
    plan.cases = {one(Family::core, "read", {0, 1}), one(Family::core, "write", {0, 1})};
    plan.cases[0].after = {plan.cases[1].id};
    plan.cases[1].after = {plan.cases[0].id};
    EXPECT_EQ(seconds_of(plan, costs, 8), 0);
}

TEST(Schedule, TakesEveryFamilyFromTheTable) {
    for (const bool simulated : {false, true}) {
        const CaseCosts measured = measured_costs(simulated);
        for (const Family family : {Family::control, Family::core, Family::evidence, Family::way,
                                    Family::measurement, Family::collective, Family::again, Family::closing})
            EXPECT_GT(measured.of(one(family, "any", {0})), 0) << to_string(family);
    }
}

TEST(Schedule, TakesAFamilyThatNobodyMeasuredForACoreCheck) {
    EXPECT_EQ(costs.of(one(Family::evidence, "any", {0, 1})), 10);
    EXPECT_EQ(CaseCosts{}.of(one(Family::evidence, "any", {0, 1})), 0);
}

TEST(Schedule, GivesAMeasurementTwoWorkersWhereThereAreTwo) {
    Plan plan = plan_of(4);
    plan.cases = {one(Family::measurement, "own_latency", {0}), one(Family::measurement, "own_latency", {1})};
    EXPECT_EQ(seconds_of(plan, costs, 4), 10);
    EXPECT_EQ(seconds_of(plan, costs, 3), 20);
    EXPECT_EQ(seconds_of(plan, costs, 1), 20);
}

TEST(Duration, IsReadableAtAnyLength) {
    EXPECT_EQ(duration_text(0), "0 s");
    EXPECT_EQ(duration_text(-3), "0 s");
    EXPECT_EQ(duration_text(44.2), "45 s");
    EXPECT_EQ(duration_text(125), "2 min 05 s");
    EXPECT_EQ(duration_text(2 * 3600 + 10 * 60 + 59), "2 h 10 min");
}

}  // namespace
}  // namespace peerproof
