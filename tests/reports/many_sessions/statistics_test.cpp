// Held to published values, and to sums of binomial and hypergeometric probabilities that were added up exactly elsewhere.
#include "reports/many_sessions/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace peerproof {
namespace {

TEST(Statistics, TheUpperBoundOfAFailureRate) {
    const struct {
        Count seen;
        double bound;
    } table[] = {{{0, 1}, 0.95},       {{0, 10}, 0.258866},  {{1, 10}, 0.394163},  {{2, 10}, 0.506901},
                 {{5, 10}, 0.777559},  {{9, 10}, 0.994884},  {{10, 10}, 1},        {{0, 59}, 0.049508},
                 {{0, 299}, 0.009969}, {{1, 100}, 0.046560}, {{3, 100}, 0.075711}, {{10, 500}, 0.033688},
                 {{0, 0}, 1}};
    for (const auto& [seen, bound] : table)
        EXPECT_NEAR(failure_rate_at_most(seen), bound, 1e-6) << seen.failed << " of " << seen.of;
    for (const std::uint64_t n : {1, 7, 500, 5'000'000})
        EXPECT_NEAR(failure_rate_at_most({0, n}), 1 - std::pow(0.05, 1.0 / static_cast<double>(n)), 1e-12)
            << n;
    EXPECT_THROW(failure_rate_at_most({2, 1}), std::logic_error);
}

// The rule of three, and the two that a qualification mostly wants: 1 in 20 and 1 in 100.
TEST(Statistics, HowManyCleanTrialsARateTakes) {
    EXPECT_EQ(clean_trials_for(0.05), 59u);
    EXPECT_EQ(clean_trials_for(0.01), 299u);
    EXPECT_EQ(clean_trials_for(0.002), 1497u);
    for (const double rate : {0.3, 0.05, 0.002}) {
        const std::uint64_t n = clean_trials_for(rate);
        EXPECT_LE(failure_rate_at_most({0, n}), rate);
        EXPECT_GT(failure_rate_at_most({0, n - 1}), rate);
    }
}

TEST(Statistics, TheIncompleteBetaFunction) {
    EXPECT_NEAR(incomplete_beta(1, 1, 0.3), 0.3, 1e-14);
    EXPECT_NEAR(incomplete_beta(2, 3, 0.4), 0.5248, 1e-12);
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, 0.5), 0.5, 1e-12);
    EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
    EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

// Fisher's own examples (The Design of Experiments: tea; Statistical Methods: convicted twins), and small tables.
TEST(Statistics, FishersExactTest) {
    const struct {
        Count first, second;
        double probability;
    } table[] = {{{1, 4}, {3, 4}, 0.2428571},   {{0, 4}, {4, 4}, 0.0142857},   {{2, 17}, {10, 13}, 0.0004652},
                 {{0, 10}, {1, 10}, 0.5},       {{1, 10}, {6, 10}, 0.0286378}, {{0, 10}, {5, 10}, 0.0162539},
                 {{0, 10}, {4, 10}, 0.0433437}, {{0, 5}, {5, 5}, 0.0039683},   {{0, 3}, {3, 3}, 0.05},
                 {{0, 10}, {0, 10}, 1},         {{10, 10}, {10, 10}, 1},       {{5, 10}, {0, 10}, 1},
                 {{0, 1}, {1, 1}, 0.5}};
    for (const auto& [first, second, probability] : table)
        EXPECT_NEAR(fisher(first, second), probability, 1e-7)
            << first.failed << "/" << first.of << " " << second.failed << "/" << second.of;
}

// Tarone, A modified Bonferroni method for discrete data (Biometrics 46, 1990).
TEST(Statistics, TestsThatCannotAccuseDoNotCount) {
    EXPECT_NEAR(least_fisher({0, 10}, {1, 10}), 0.5, 1e-12);
    EXPECT_NEAR(least_fisher({3, 10}, {2, 10}), fisher({0, 10}, {5, 10}), 1e-12);
    EXPECT_NEAR(least_fisher({10, 10}, {10, 10}), 1, 1e-12);
    EXPECT_EQ(tests_that_count({}), 1u);
    EXPECT_EQ(tests_that_count({1, 1, 0.5, 0.3}), 1u);
    EXPECT_EQ(tests_that_count({1e-6, 1e-6, 1e-6, 1}), 3u);
    EXPECT_EQ(tests_that_count({1e-6, 0.02, 0.02, 0.04, 1}),
              3u);  // for 2: 3 below 0.025; for 3: 1 below 0.0167
    EXPECT_EQ(tests_that_count(std::vector<double>(600, 1e-6)), 600u);
}

TEST(Statistics, HowManyRunsWouldTell) {
    EXPECT_EQ(times_as_many({0, 10}, {1, 10}, 0.05), 5u);  // 0 of 50 and 5 of 50: 0.028; 4 of 40: 0.058
    EXPECT_GT(fisher({0, 40}, {4, 40}), 0.05);
    EXPECT_LE(fisher({0, 50}, {5, 50}), 0.05);
    EXPECT_EQ(times_as_many({0, 1}, {1, 1}, 0.05), 3u);
    EXPECT_EQ(times_as_many({0, 10}, {5, 10}, 0.05), 1u);
    EXPECT_EQ(times_as_many({1, 10}, {1, 10}, 0.05), std::nullopt);
    EXPECT_EQ(times_as_many({2, 10}, {1, 10}, 0.05), std::nullopt);
    EXPECT_EQ(times_as_many({0, 0}, {1, 1}, 0.05), std::nullopt);
    EXPECT_EQ(times_as_many({499, 1'000}, {500, 1'000}, 1e-300), std::nullopt);
}

// The table that textbooks of order statistics have of the median (Conover; Hahn and Meeker).
TEST(Statistics, IntervalsOfTheMedian) {
    const struct {
        std::size_t n, rank;
        double covers;
    } table[] = {{6, 1, 0.9688},  {9, 2, 0.9609},  {10, 2, 0.9785}, {15, 4, 0.9648},
                 {20, 6, 0.9586}, {25, 8, 0.9567}, {50, 18, 0.9672}};
    for (const auto& [n, rank, covers] : table) {
        EXPECT_EQ(rank_of_interval(n), rank) << n;
        EXPECT_NEAR(coverage(n, rank), covers, 5e-5) << n;
    }
    for (const std::size_t n : {0, 1, 2, 5}) EXPECT_EQ(rank_of_interval(n), 0u) << n;
    EXPECT_NEAR(coverage(5, 1), 0.9375, 1e-12);

    const Interval odd = median_interval({5, 1, 4, 2, 3}, 2), even = median_interval({4, 1, 3, 2}, 1);
    EXPECT_EQ(odd.median, 3);
    EXPECT_EQ(odd.from, 2);
    EXPECT_EQ(odd.to, 4);
    EXPECT_EQ(even.median, 2.5);
    EXPECT_EQ(even.from, 1);
    EXPECT_EQ(even.to, 4);
    EXPECT_EQ(median_interval({7}, 1).median, 7);
    EXPECT_THROW(median_interval({}, 1), std::logic_error);
    EXPECT_THROW(median_interval({1, 2}, 2), std::logic_error);
}

TEST(Statistics, IntervalsThatDoNotMeet) {
    // All of the second below all of the first: one of the 20 orders of 3 and 3.
    EXPECT_NEAR(apart_by_chance(3, 1, 3, 1), 1.0 / 20, 1e-12);
    EXPECT_NEAR(apart_by_chance(10, 1, 10, 1), 1.0 / 184'756, 1e-12);
    // The ninth of the second below the second of the first: of the lowest ten, nine or ten are of the second.
    EXPECT_NEAR(apart_by_chance(10, 2, 10, 2), 101.0 / 184'756, 1e-12);
    EXPECT_NEAR(apart_by_chance(2, 1, 4, 1), 1.0 / 15, 1e-12);
}

// The more of them are compared, the wider they are, and the more runs it takes.
TEST(Statistics, RanksForManyComparisons) {
    EXPECT_EQ(ranks_to_compare(10, 10, 1)->first, 2u);
    EXPECT_EQ(ranks_to_compare(10, 10, 45)->first, 2u);  // 45 * 202 / 184,756 = 0.0492
    EXPECT_EQ(ranks_to_compare(10, 10, 46)->first, 1u);
    EXPECT_FALSE(ranks_to_compare(10, 10, 10'000));
    EXPECT_FALSE(ranks_to_compare(5, 20, 1));
    EXPECT_EQ(ranks_to_compare(20, 6, 1)->second, 1u);
    EXPECT_EQ(values_to_compare(1), 6u);
    EXPECT_EQ(values_to_compare(600), 9u);
}

}  // namespace
}  // namespace peerproof
