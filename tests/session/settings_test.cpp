#include "session/settings.hpp"

#include <gtest/gtest.h>

namespace peerproof {
namespace {

Settings from(std::vector<std::string> lines) {
    std::vector<char*> environment;
    for (std::string& line : lines) environment.push_back(line.data());
    environment.push_back(nullptr);
    return settings_from(environment.data());
}

std::string refused(std::vector<std::string> lines) {
    try {
        from(std::move(lines));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Settings, DefaultsExpectAnOpenBench) {
    const Settings settings = from({"PATH=/bin", "PEERPROOFING=x"});
    EXPECT_EQ(settings.expectation, Expectation::open);
    EXPECT_EQ(settings.deadline_s, 60);
    EXPECT_FALSE(settings.bench || settings.gpus_wanted || settings.out || settings.session);
}

TEST(Settings, TheLargeStepIsSmallOnASimulatedBenchUnlessItIsGiven) {
    EXPECT_EQ(large_step_mib(from({}), true), 16);
    EXPECT_EQ(large_step_mib(from({}), false), 256);
    EXPECT_EQ(large_step_mib(from({"PEERPROOF_LARGE_MIB=8"}), true), 8);
    EXPECT_EQ(large_step_mib(from({"PEERPROOF_LARGE_MIB=8"}), false), 8);
}

TEST(Settings, TakesWhatIsGiven) {
    const Settings settings = from({"PEERPROOF_BENCH=open-x3", "PEERPROOF_EXPECT=locked", "PEERPROOF_GPUS=8",
                                    "PEERPROOF_OUT=/o", "PEERPROOF_DEADLINE=5", "PEERPROOF_SESSION=ci_42-a"});
    EXPECT_EQ(settings.bench, "open-x3");
    EXPECT_EQ(settings.expectation, Expectation::locked);
    EXPECT_EQ(settings.gpus_wanted, 8);
    EXPECT_EQ(settings.out, "/o");
    EXPECT_EQ(settings.deadline_s, 5);
    EXPECT_EQ(settings.session, "ci_42-a");
}

TEST(Settings, ASelfCheckExpectsALockedBench) {
    for (auto lines : {std::vector<std::string>{"PEERPROOF_SELF_CHECK=locked"},
                       {"PEERPROOF_SELF_CHECK=locked", "PEERPROOF_EXPECT=locked"}}) {
        const Settings settings = from(lines);
        EXPECT_TRUE(settings.self_check);
        EXPECT_EQ(settings.expectation, Expectation::locked);
    }
}

TEST(Settings, TakesEveryWayUnlessItIsToldWhich) {
    const std::vector<std::string> all{"ipc", "vmm", "pool", "graph", "atomics", "order", "widths"};
    EXPECT_EQ(from({}).ways, all);
    EXPECT_EQ(from({"PEERPROOF_WAYS=on"}).ways, all);
    EXPECT_TRUE(from({"PEERPROOF_WAYS=off"}).ways.empty());
    EXPECT_EQ(from({"PEERPROOF_WAYS=graph,ipc"}).ways, (std::vector<std::string>{"graph", "ipc"}));
    EXPECT_TRUE(from({}).required_ways.empty());
    EXPECT_EQ(from({"PEERPROOF_REQUIRE=vmm,ipc"}).required_ways, (std::vector<std::string>{"vmm", "ipc"}));
    EXPECT_EQ(from({"PEERPROOF_REQUIRE=vmm", "PEERPROOF_WAYS=ipc,vmm"}).required_ways,
              std::vector<std::string>{"vmm"});
}

TEST(Settings, RefusesWaysThatAreUnknownOrThereTwice) {
    for (const char* list : {"", "ipx", "ipc,", ",ipc", "ipc,,vmm", "ipc,ipc", "on,ipc", "ipc, vmm", "IPC"}) {
        EXPECT_NE(
            refused({std::string("PEERPROOF_WAYS=") + list}).find("must be on, off, or some of ipc,vmm,"),
            std::string::npos)
            << list;
        EXPECT_NE(refused({std::string("PEERPROOF_REQUIRE=") + list}).find("must be some of ipc,vmm,pool,"),
                  std::string::npos)
            << list;
    }
}

TEST(Settings, TakeTheSecondsOfTheCrowd) {
    EXPECT_EQ(from({}).crowd_s, std::nullopt);
    EXPECT_EQ(from({"PEERPROOF_CROWD=on"}).crowd_s, std::nullopt);
    EXPECT_EQ(from({"PEERPROOF_CROWD=off"}).crowd_s, 0);
    EXPECT_EQ(from({"PEERPROOF_CROWD=600"}).crowd_s, 600);
    for (const char* other : {"", "0", "601", "3s", "ON"})
        EXPECT_NE(refused({std::string("PEERPROOF_CROWD=") + other})
                      .find("must be on, off, or seconds from 1 to 600"),
                  std::string::npos)
            << other;
}

TEST(Settings, TakeTheDurationOfASoak) {
    EXPECT_EQ(from({}).soak_s, std::nullopt);
    EXPECT_EQ(from({"PEERPROOF_SOAK=90s"}).soak_s, 90);
    EXPECT_EQ(from({"PEERPROOF_SOAK=10m"}).soak_s, 600);
    EXPECT_EQ(from({"PEERPROOF_SOAK=2h"}).soak_s, 7200);
    EXPECT_EQ(from({"PEERPROOF_SOAK=7d"}).soak_s, 604800);
    for (const char* other : {"", "s", "0s", "90", "1.5h", "-1m", "+1m", " 1m", "1m ", "8d", "169h", "1w",
                              "10M", "1h30m", "604801s", "99999999999999999999s"})
        EXPECT_NE(refused({std::string("PEERPROOF_SOAK=") + other})
                      .find("must be a duration from 1s to 7d: a whole number and s, m, h or d"),
                  std::string::npos)
            << other;
}

TEST(Settings, RequiresNoWayThatIsNotTried) {
    for (const char* other : {"PEERPROOF_WAYS=vmm,pool", "PEERPROOF_WAYS=off", "PEERPROOF_EXPECT=locked",
                              "PEERPROOF_SELF_CHECK=locked"}) {
        EXPECT_NE(refused({"PEERPROOF_REQUIRE=vmm,ipc", other})
                      .find("that PEERPROOF_WAYS takes, where no locked bench is expected"),
                  std::string::npos)
            << other;
    }
}

TEST(Settings, RefusesWhatItDoesNotKnow) {
    EXPECT_NE(refused({"PEERPROOF_EXPECTED=open"}).find("PEERPROOF_EXPECTED: unknown variable"),
              std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_EXPECT=Open"}).find("must be open, locked, or a file that exists"),
              std::string::npos);
    for (const char* gpus : {"", "1", "65", "3x", " 3", "-3", "99999999999999999999"}) {
        EXPECT_NE(refused({std::string("PEERPROOF_GPUS=") + gpus}).find("from 2 to 64"), std::string::npos)
            << gpus;
    }
    EXPECT_NE(refused({"PEERPROOF_EXPECT=/no/such/report.json"}).find("a file that exists"),
              std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_COLLECTIVE=maybe"}).find("must be on or off"), std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_DEADLINE=0"}).find("from 1 to 3600"), std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_SESSION=../x"}).find("PEERPROOF_SESSION"), std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_BENCH="}).find("PEERPROOF_BENCH"), std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_SELF_CHECK=open"}).find("must be locked"), std::string::npos);
    EXPECT_NE(refused({"PEERPROOF_SELF_CHECK=locked", "PEERPROOF_EXPECT=open"})
                  .find("locked, and PEERPROOF_EXPECT nothing else"),
              std::string::npos);
    const std::string both = refused({"PEERPROOF_GPUS=1", "PEERPROOF_TYPO=1"});
    EXPECT_NE(both.find("PEERPROOF_GPUS"), std::string::npos);
    EXPECT_NE(both.find("PEERPROOF_TYPO"), std::string::npos);
}

}  // namespace
}  // namespace peerproof
