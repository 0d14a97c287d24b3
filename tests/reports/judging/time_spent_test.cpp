#include "reports/judging/time_spent.hpp"

#include <gtest/gtest.h>

#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

// Of the records only these took any time.
Session session_with(const std::vector<std::tuple<std::string, std::string, double>>& times) {
    Session session = sample::open_session(3);
    for (Record& record : session.records) {
        record.started.clear();
        record.seconds = 0;
    }
    for (const auto& [id, started, seconds] : times) {
        sample::record(session, id).started = started;
        sample::record(session, id).seconds = seconds;
    }
    return session;
}

const FamilyTime& of(const TimeSpent& spent, Family family) {
    for (const FamilyTime& one : spent.families) {
        if (one.family == family) return one;
    }
    throw std::logic_error("no such family");
}

TEST(TimeSpent, IsSharedByWhatRanAtOnce) {
    // Two core checks side by side for 2 s, one of them for 2 s more; nothing for 4 s; a control for 2 s.
    const Session session = session_with({{"core.read.gpu0_to_gpu1", "2026-12-01T05:15:02.500Z", 4},
                                          {"core.copy.gpu1_to_gpu2", "2026-12-01T05:15:04.500Z", 2},
                                          {"control.positive.gpu0", "2026-12-01T05:15:04.500Z", 1},
                                          {"control.positive.gpu1", "2026-12-01T05:15:10.500Z", 2}});
    const Ledger ledger(session);
    const TimeSpent spent = time_spent(ledger);
    EXPECT_DOUBLE_EQ(spent.clock_seconds, 10);
    EXPECT_DOUBLE_EQ(spent.case_seconds, 9);
    EXPECT_DOUBLE_EQ(spent.idle_seconds, 4);
    EXPECT_DOUBLE_EQ(of(spent, Family::core).seconds, 6);
    EXPECT_NEAR(of(spent, Family::core).clock_seconds, 2 + 2.0 / 3 + 1, 1e-6);
    EXPECT_NEAR(of(spent, Family::control).clock_seconds, 1.0 / 3 + 2, 1e-6);
    EXPECT_EQ(of(spent, Family::core).cases, 18);
}

TEST(TimeSpent, NamesTheLongestCases) {
    const Session session = session_with({{"core.read.gpu0_to_gpu1", "", 4},
                                          {"core.copy.gpu1_to_gpu2", "", 2},
                                          {"core.write.gpu2_to_gpu1", "", 3},
                                          {"core.write.gpu0_to_gpu1", "", 1},
                                          {"control.positive.gpu0", "", 9}});
    const TimeSpent spent = time_spent(Ledger(session));
    std::vector<std::string> of_core;
    for (const LongCase& one : of(spent, Family::core).longest) of_core.push_back(one.id);
    EXPECT_EQ(of_core, (std::vector<std::string>{"core.read.gpu0_to_gpu1", "core.write.gpu2_to_gpu1",
                                                 "core.copy.gpu1_to_gpu2"}));
    EXPECT_EQ(spent.longest.front().id, "control.positive.gpu0");
    EXPECT_EQ(spent.longest.size(), longest_of_all);
    EXPECT_EQ(spent.clock_seconds, 0) << "no record says when it began";
    for (const CheckTime& check : spent.checks) {
        if (check.check == "core.write") {
            EXPECT_EQ(check.cases, 6);
            EXPECT_EQ(check.seconds, 4);
        }
    }
}

// What was never started took no time; what has no record says nothing.
TEST(TimeSpent, LeavesOutWhatNeverRan) {
    Session session = session_with({});
    sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::not_started);
    sample::remove_record(session, "core.read.gpu1_to_gpu0");
    EXPECT_EQ(of(time_spent(Ledger(session)), Family::core).cases, 16);
    session.records.clear();
    EXPECT_TRUE(time_spent(Ledger(session)).families.empty());
}

TEST(TimeSpent, TakesNoTimeThatCannotBe) {
    const TimeSpent spent =
        time_spent(Ledger(session_with({{"core.read.gpu0_to_gpu1", "2026-12-01T05:15:02.000Z", -4},
                                        {"core.copy.gpu1_to_gpu2", "2026-12-01T05:15:00.000Z", 6},
                                        {"control.positive.gpu0", "", 1e308},
                                        {"control.positive.gpu1", "", 1e308}})));
    EXPECT_DOUBLE_EQ(of(spent, Family::core).seconds, 6);
    EXPECT_DOUBLE_EQ(spent.clock_seconds, 6);
    EXPECT_DOUBLE_EQ(of(spent, Family::core).clock_seconds, 6);
    EXPECT_DOUBLE_EQ(of(spent, Family::control).seconds, 2e9);
}

TEST(TimeSpent, ReadsTimesOfEarlierVersionsToo) {
    EXPECT_EQ(seconds_of_utc("1970-01-02T00:00:01Z"), 86401);
    EXPECT_EQ(seconds_of_utc("1970-01-02T00:00:01.250Z"), 86401.25);
    for (const char* none : {"", "now", "1970-01-02T00:00:01", "1970-01-02 00:00:01Z",
                             "1970-01-02T00:00:01.2Z", "1970-01-02T00:00:01,250Z", "19x0-01-02T00:00:01Z"})
        EXPECT_EQ(seconds_of_utc(none), std::nullopt) << none;
}

}  // namespace
}  // namespace peerproof
