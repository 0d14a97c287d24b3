#include "session/again.hpp"

#include <gtest/gtest.h>

#include "session/format.hpp"

namespace peerproof {
namespace {

// The core checks of so many GPUs, the same again, and what else a session has.
Plan plan_of(int gpus) {
    Plan plan;
    const auto add = [&](Family family, const char* check, std::vector<int> at) {
        const std::string id = case_id(family, check, place_name(at));
        plan.cases.push_back({.id = id, .family = family, .check = check, .gpus = std::move(at)});
    };
    add(Family::control, "fault", {0});
    for (const Family family : {Family::core, Family::evidence, Family::again}) {
        for (const char* check : {"copy", "read", "write"}) {
            for (int a = 0; a < gpus; ++a) {
                for (int b = 0; b < gpus; ++b) {
                    if (a != b) add(family, check, {a, b});
                }
            }
        }
    }
    add(Family::closing, "still_there", {0});
    return plan;
}

using Outcomes = std::map<std::string, Outcome>;

// What the core checks came to: this, but for these.
std::string asked(int gpus, Outcome all, const Outcomes& but) {
    const Plan plan = plan_of(gpus);
    Outcomes outcomes;
    for (const Case& one : plan.cases) {
        if (one.family == Family::core) outcomes[one.id] = all;
    }
    for (const auto& [id, outcome] : but) outcomes[id] = outcome;
    return join(pairs_to_ask_again(plan, outcomes), " ");
}

TEST(Again, WhereNothingFailedTheFirstPairIsAsked) {
    EXPECT_EQ(asked(3, Outcome::delivered, {}), "gpu0_to_gpu1");
    EXPECT_EQ(join(pairs_to_ask_again(plan_of(3), {}), " "), "gpu0_to_gpu1");
}

TEST(Again, EveryPairThatTouchesAGpuThatFailedIsAsked) {
    for (const Outcome bad : {Outcome::illegal_address, Outcome::refused, Outcome::missing, Outcome::wrong,
                              Outcome::hung, Outcome::crashed, Outcome::unkillable})
        EXPECT_EQ(
            asked(4, Outcome::delivered, {{"core.read.gpu2_to_gpu3", bad}}),
            "gpu0_to_gpu1 gpu0_to_gpu2 gpu0_to_gpu3 gpu1_to_gpu2 gpu1_to_gpu3 gpu2_to_gpu0 gpu2_to_gpu1 "
            "gpu2_to_gpu3 gpu3_to_gpu0 gpu3_to_gpu1 gpu3_to_gpu2")
            << to_string(bad);
    for (const Outcome unknown : {Outcome::inconclusive, Outcome::not_started})
        EXPECT_EQ(asked(4, Outcome::delivered, {{"core.read.gpu2_to_gpu3", unknown}}), "gpu0_to_gpu1");
}

// Closed as a whole it has not failed. One read that gets through, or a copy whose bytes are gone, is another matter.
TEST(Again, OfAClosedBenchTheFirstPairIsAsked) {
    const Outcomes copies{{"core.copy.gpu0_to_gpu1", Outcome::delivered},
                          {"core.copy.gpu1_to_gpu0", Outcome::delivered}};
    EXPECT_EQ(asked(2, Outcome::illegal_address, {}), "gpu0_to_gpu1");
    EXPECT_EQ(asked(2, Outcome::illegal_address, copies), "gpu0_to_gpu1");
    EXPECT_EQ(asked(2, Outcome::illegal_address, {{"core.read.gpu1_to_gpu0", Outcome::delivered}}),
              "gpu0_to_gpu1 gpu1_to_gpu0");
    EXPECT_EQ(asked(2, Outcome::illegal_address, {{"core.copy.gpu1_to_gpu0", Outcome::missing}}),
              "gpu0_to_gpu1 gpu1_to_gpu0");
}

TEST(Again, TheFirstComesAfterAllOthersAndTheRestAfterIt) {
    Plan plan = plan_of(2);
    put_again_last(plan);
    EXPECT_EQ(
        plan.find("again.copy.gpu0_to_gpu1")->after,
        (std::vector<std::string>{
            "core.copy.gpu0_to_gpu1", "core.copy.gpu1_to_gpu0", "core.read.gpu0_to_gpu1",
            "core.read.gpu1_to_gpu0", "core.write.gpu0_to_gpu1", "core.write.gpu1_to_gpu0",
            "evidence.copy.gpu0_to_gpu1", "evidence.copy.gpu1_to_gpu0", "evidence.read.gpu0_to_gpu1",
            "evidence.read.gpu1_to_gpu0", "evidence.write.gpu0_to_gpu1", "evidence.write.gpu1_to_gpu0"}));
    EXPECT_EQ(plan.find("again.write.gpu1_to_gpu0")->after,
              std::vector<std::string>{"again.copy.gpu0_to_gpu1"});
    EXPECT_TRUE(plan.find("core.read.gpu0_to_gpu1")->after.empty());
}

}  // namespace
}  // namespace peerproof
