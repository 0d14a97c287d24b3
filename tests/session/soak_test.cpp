#include "session/soak.hpp"

#include <gtest/gtest.h>

#include "session/again.hpp"
#include "session/duration.hpp"
#include "session/json.hpp"
#include "session/plan.hpp"

namespace peerproof {
namespace {

Soak clean() {
    Soak soak{.seed = 77, .planned_s = 600, .seconds = 602.1, .rounds = 212};
    soak.pairs = {{0, 1, 6'000'000'000'000, {700'000, 700'000, 705'500}, {}},
                  {1, 0, 6'300'000'000'000, {700'000, 700'000, 705'500}, {}}};
    soak.operations = 4'211'000;
    soak.bytes = 12'300'000'000'000;
    soak.before = {{0, {{"temperature_c", 40}}, {{"nvlink_replays", "there is no NVLink"}}, {}}};
    soak.after = {{0, {{"temperature_c", 71}, {"pcie_replays", 3}}, {}, {79}}};
    return soak;
}

Soak spoilt() {
    Soak soak = clean();
    soak.wrong = 1;
    soak.pairs[0].wrong[1] = 1;
    soak.firsts = {{.flow = "gpu0_to_gpu1 store",
                    .outcome = Outcome::missing,
                    .beside = "alone, small",
                    .round = 14,
                    .operation = 1402,
                    .operation_all = 2800,
                    .bytes = 3'100'000'000,
                    .bytes_all = 6'200'000'000,
                    .seconds = 41.2,
                    .detail = "the poison is intact",
                    .before = soak.before,
                    .after = soak.after}};
    return soak;
}

Soak read(const nlohmann::json& json) { return soak_from(Member(json, "r.json")); }

TEST(Duration, IsAWholeNumberAndAUnit) {
    EXPECT_EQ(parse_duration("90s"), 90);
    EXPECT_EQ(parse_duration("10m"), 600);
    EXPECT_EQ(parse_duration("2h"), 7200);
    EXPECT_EQ(parse_duration("1d"), 86400);
    EXPECT_EQ(parse_duration("604800s"), most_soak_s);
    for (const char* other : {"", "m", "0m", "10", "8d", "1.5h", "604801s", "1h30m", "-5m"})
        EXPECT_EQ(parse_duration(other), std::nullopt) << other;
}

TEST(Soak, IsSaidInOneLine) {
    EXPECT_EQ(soak_text(clean()), "10 min 02 s, 212 rounds, 4,211,000 operations, 12.3 TB verified, 0 wrong");
    EXPECT_EQ(
        soak_text(spoilt()),
        "wrong 1 of 4,211,000: gpu0_to_gpu1 store, operation 1,402 of this pair (2,800 of all) after "
        "3.1 GB (6.2 GB of all) and 41 s, in round 14, alone, small: the poison is intact; 10 min 02 s, "
        "212 rounds");
    Soak cut = clean();
    cut.seconds = 41;
    cut.cut_short = "interrupted";
    EXPECT_EQ(soak_text(cut),
              "interrupted after 41 s of 10 min 00 s, 212 rounds, 4,211,000 operations, 12.3 TB verified, 0 "
              "wrong");
}

TEST(Soak, SurvivesItsRecord) {
    const auto json = to_json(spoilt());
    EXPECT_EQ(to_json(read(json)), json);
    EXPECT_EQ(read(json).after[0].xids, std::vector<int>{79});
}

// Who reads one of two numbers must not be told what the other denies.
TEST(Soak, ThatContradictsItselfIsNone) {
    auto json = to_json(spoilt());
    json["wrong"] = 0u;
    EXPECT_THROW(read(json), FormatError);
    json = to_json(clean());
    json["operations"] = 1u;
    EXPECT_THROW(read(json), FormatError);
    json = to_json(clean());
    json["bytes"] = 1u;
    EXPECT_THROW(read(json), FormatError);
    json = to_json(clean());
    json["pairs"][0]["wrong"] = {0u, 1u, 0u};
    EXPECT_THROW(read(json), FormatError);
    json = to_json(spoilt());
    json["firsts"] = nlohmann::json::array();
    EXPECT_THROW(read(json), FormatError);
    json = to_json(clean());
    json["pairs"][0]["operations"] = {1u, 2u};
    EXPECT_THROW(read(json), FormatError);
}

TEST(Soak, CleanOperationsBoundTheFailureRate) {
    EXPECT_DOUBLE_EQ(rate_at_most(0), 1);
    EXPECT_NEAR(rate_at_most(1), 0.95, 1e-12);
    EXPECT_NEAR(rate_at_most(10), 0.2588656, 1e-6);
    EXPECT_NEAR(rate_at_most(1'000'000), 2.99573e-6, 1e-10);
}

TEST(Soak, ChanceToSeeAFaultGrowsWithTheOperations) {
    EXPECT_DOUBLE_EQ(chance_to_see(500, 0), 0);
    EXPECT_NEAR(chance_to_see(500, 1), 0.002, 1e-12);
    EXPECT_NEAR(chance_to_see(5000, 14'977), 0.95, 1e-4);
    EXPECT_DOUBLE_EQ(chance_to_see(1, 1), 1);
}

TEST(Soak, NumbersAreForPeople) {
    EXPECT_EQ(with_commas(0), "0");
    EXPECT_EQ(with_commas(999), "999");
    EXPECT_EQ(with_commas(1000), "1,000");
    EXPECT_EQ(with_commas(4'211'000), "4,211,000");
    EXPECT_EQ(bytes_text(512), "512 bytes");
    EXPECT_EQ(bytes_text(3'100'000'000), "3.1 GB");
    EXPECT_EQ(bytes_text(12'300'000'000'000), "12.3 TB");
}

TEST(Soak, ComesBehindEverythingButTheEnd) {
    Plan plan;
    for (const Family family :
         {Family::control, Family::core, Family::way, Family::measurement, Family::collective, Family::crowd,
          Family::soak, Family::again, Family::closing})
        plan.cases.push_back({.id = std::string{to_string(family)}, .family = family});
    put_soak_behind_the_rest(plan);
    put_again_last(plan);
    EXPECT_EQ(plan.find("soak")->after,
              (std::vector<std::string>{"core", "way", "measurement", "collective", "crowd"}));
    const auto& again = plan.find("again")->after;
    EXPECT_EQ(again.back(), "soak");
}

TEST(Soak, HasTheDeadlineOfItsLength) {
    Plan plan;
    plan.deadline_s = 60;
    plan.soak_s = 600;
    EXPECT_EQ(deadline_of(plan, {.id = "a", .family = Family::soak}), 660);
    EXPECT_EQ(deadline_of(plan, {.id = "b", .family = Family::crowd}), 60);
}

}  // namespace
}  // namespace peerproof
