// Exact statistics of few runs: how often something may fail that was never seen to, whether one series fails more often
// than another, and between what the median of a few values lies. Nothing here assumes a distribution. Pure.
//
//   failure_rate_at_most({0, 10})               0.2589: ten clean runs, and one in four may still fail
//   fisher({1, 10}, {6, 10})                    0.0286: how probable so many failures of the second are by chance
//   median_interval({13.1, 12.9, ...}, 2)       from the second smallest value to the second largest
//
// A count has 0 <= failed <= of; anything else throws std::logic_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace peerproof {

inline constexpr double confidence = 0.95, significance = 0.05;

struct Count {
    std::uint64_t failed = 0, of = 0;
    bool operator==(const Count&) const = default;
    Count& operator+=(const Count& more) {
        failed += more.failed;
        of += more.of;
        return *this;
    }
};

// The regularised incomplete beta function I_x(a, b), for a and b above 0.
double incomplete_beta(double a, double b, double x);

// The upper bound of Clopper and Pearson, one-sided: the failure rate at which so few failures come with a probability
// of 5 %. 1 - 0.05^(1/n) where there is none; 1 where nothing was tried.
double failure_rate_at_most(const Count& seen);

// How many clean trials bring that bound down to the rate.
std::uint64_t clean_trials_for(double rate);

// The chance that among `drawn` of `all`, `marked` of which are marked, there are at least so many marked ones.
double at_least(std::uint64_t wanted, std::uint64_t all, std::uint64_t marked, std::uint64_t drawn);

// Fisher's exact test, one-sided: how probable it is that so many of these failures, or more, are the second's, where both
// fail equally often. 1 where the second has none.
double fisher(const Count& first, const Count& second);

// The least that it can be with so many failures in all: where as many as possible are the second's.
double least_fisher(const Count& first, const Count& second);

// By how many the probabilities of several such tests are to be multiplied, so that with 95 % none of them is below 5 % by chance
// (Tarone 1990): by that of the tests that could come to it at all, whatever was seen.
std::size_t tests_that_count(const std::vector<double>& least_probabilities);

// By how much both must be multiplied, with the rates that were seen, so that fisher() comes to `wanted` or less. None
// where the second does not fail more often, or not within a factor of a thousand.
std::optional<std::uint64_t> times_as_many(const Count& first, const Count& second, double wanted);

// Of n values the interval from the rank-th smallest to the rank-th largest covers the median with this probability.
double coverage(std::size_t n, std::size_t rank);
// The highest rank whose interval covers the median with 95 %; 0 where even that of all values does not (n < 6).
std::size_t rank_of_interval(std::size_t n);
// How probable it is that two such intervals do not meet, the second below, where both are of one distribution.
double apart_by_chance(std::size_t first_n, std::size_t first_rank, std::size_t second_n,
                       std::size_t second_rank);

struct Interval {
    double median = 0, from = 0, to = 0;
};
// rank from 1 to half the values, rounded up; no value at all throws std::logic_error.
Interval median_interval(std::vector<double> values, std::size_t rank);

// How two medians are compared, where `many` of them are: the ranks of both intervals, each covering its median with 95 %, and
// so wide that with 95 % no two of them are apart by chance. None where there are too few values.
struct Ranks {
    std::size_t first = 0, second = 0;
};
std::optional<Ranks> ranks_to_compare(std::size_t first_n, std::size_t second_n, std::size_t many);
// As many values of each as are enough for that.
std::size_t values_to_compare(std::size_t many);

}  // namespace peerproof
