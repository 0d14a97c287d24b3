#include "reports/commands/time_left.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/folder.hpp"

namespace peerproof {
namespace {

// Of three GPUs: one case at a time, so that seconds add up.
class Left : public testing::Test {
  protected:
    double left(double now) { return left_.seconds(now).value_or(-1); }
    void end(Family family, std::size_t most, double seconds) {
        for (const Case& one : plan_.cases) {
            if (one.family == family && most > 0) {
                left_.take({.name = one.id, .seconds = seconds});
                --most;
            }
        }
    }

    const Session session_ = sample::open_session(3);
    const Plan& plan_ = *session_.plan;
    const double controls_ =
        static_cast<double>(std::count_if(plan_.cases.begin(), plan_.cases.end(),
                                          [](const Case& one) { return one.family == Family::control; }));
    CaseCosts costs_{.of_family = {{Family::control, 1}, {Family::core, 2}, {Family::evidence, 0}}};
    TimeLeft left_{plan_, costs_, 1};
};

TEST_F(Left, IsNotKnownBeforeACaseHasEnded) {
    EXPECT_EQ(left_.seconds(0), std::nullopt);
    left_.take({.name = "bench.open", .seconds = 3});
    EXPECT_EQ(left_.seconds(10), std::nullopt);
}

TEST_F(Left, IsWhatWasExpectedWhereCasesTakeThat) {
    end(Family::control, 100, 1);
    EXPECT_DOUBLE_EQ(left(0), 18 * 2);
}

TEST_F(Left, GrowsWhereCasesTakeLonger) {
    end(Family::control, 100, 5);
    EXPECT_DOUBLE_EQ(left(0), 18 * 2 * 5) << "of core checks nothing is known but that all takes longer";
}

TEST_F(Left, IsByTheCheckWhereThatWasSeen) {
    end(Family::control, 100, 1);
    end(Family::core, 18, 7);
    EXPECT_DOUBLE_EQ(left(0), 0);
}

// Reads take ten times as long as was expected, and controls what was: of copies and writes nothing is known but
// that.
TEST_F(Left, OfWhatWasNotSeenIsByAllThatWas) {
    end(Family::control, 100, 1);
    left_.take({.name = "core.read.gpu0_to_gpu1", .seconds = 20});
    const double longer = (controls_ + 20) / (controls_ + 2);
    EXPECT_NEAR(left(0), 5 * 20 + 12 * 2 * longer, 1e-9);
}

TEST_F(Left, CountsNoCaseTwice) {
    end(Family::control, 100, 1);
    end(Family::control, 100, 9);
    EXPECT_DOUBLE_EQ(left(0), 18 * 2);
}

TEST_F(Left, IsWorkedOutNowAndThen) {
    end(Family::control, 100, 1);
    EXPECT_DOUBLE_EQ(left(0), 36);
    end(Family::core, 9, 2);
    EXPECT_DOUBLE_EQ(left(1), 36);
    EXPECT_DOUBLE_EQ(left(2.5), 18);
}

TEST_F(Left, OfASessionWithoutAPlanIsNone) {
    const Folder empty;
    EXPECT_EQ(TimeLeft::of_session(empty.path, 4), nullptr);
    const Folder folder(sample::open_session(3));
    EXPECT_NE(TimeLeft::of_session(folder.path, 4), nullptr);
}

}  // namespace
}  // namespace peerproof
