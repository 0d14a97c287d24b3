#include "reports/many_sessions/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peerproof {
namespace {

void hold(bool condition) {
    if (!condition) throw std::logic_error("no count");
}

// The continued fraction of the incomplete beta function, by Lentz's method.
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300, close_enough = 1e-15;
    const auto kept_off_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double c = 1, d = 1 / kept_off_zero(1 - (a + b) * x / (a + 1)), fraction = d;
    for (int m = 1; m <= 100'000; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / kept_off_zero(1 + even * d);
        c = kept_off_zero(1 + even / c);
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / kept_off_zero(1 + odd * d);
        c = kept_off_zero(1 + odd / c);
        fraction *= d * c;
        if (std::abs(d * c - 1) < close_enough) break;
    }
    return fraction;
}

double log_choose(std::uint64_t n, std::uint64_t k) {
    const auto factorial = [](std::uint64_t of) { return std::lgamma(static_cast<double>(of) + 1); };
    return factorial(n) - factorial(k) - factorial(n - k);
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    // The fraction is good on one side of the mean.
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double failure_rate_at_most(const Count& seen) {
    hold(seen.failed <= seen.of);
    if (seen.failed == seen.of) return 1;
    const auto n = static_cast<double>(seen.of), k = static_cast<double>(seen.failed);
    if (seen.failed == 0) return -std::expm1(std::log(significance) / n);
    double low = 0, high = 1;
    for (int i = 0; i < 100; ++i) {
        const double rate = (low + high) / 2;
        // The chance of at most k failures, which falls as the rate rises.
        (1 - incomplete_beta(k + 1, n - k, rate) > significance ? low : high) = rate;
    }
    return high;
}

std::uint64_t clean_trials_for(double rate) {
    hold(rate > 0 && rate < 1);
    return static_cast<std::uint64_t>(std::ceil(std::log(significance) / std::log1p(-rate)));
}

double at_least(std::uint64_t wanted, std::uint64_t all, std::uint64_t marked, std::uint64_t drawn) {
    hold(marked <= all && drawn <= all);
    const std::uint64_t unmarked = all - marked, most = std::min(marked, drawn);
    const std::uint64_t least = drawn > unmarked ? drawn - unmarked : 0;
    if (wanted <= least) return 1;
    double sum = 0, last = 0;
    for (std::uint64_t k = wanted; k <= most; ++k) {
        const double term =
            std::exp(log_choose(marked, k) + log_choose(unmarked, drawn - k) - log_choose(all, drawn));
        sum += term;
        const bool falls = term < last;  // behind the most probable number, and so for good
        if (falls && term < 1e-18 * sum) break;
        last = term;
    }
    return std::min(sum, 1.0);
}

double fisher(const Count& first, const Count& second) {
    hold(first.failed <= first.of && second.failed <= second.of);
    return at_least(second.failed, first.of + second.of, second.of, first.failed + second.failed);
}

double least_fisher(const Count& first, const Count& second) {
    const std::uint64_t failed = first.failed + second.failed;
    return at_least(std::min(failed, second.of), first.of + second.of, second.of, failed);
}

std::size_t tests_that_count(const std::vector<double>& least_probabilities) {
    for (std::size_t k = 1;; ++k) {
        const auto could =
            std::count_if(least_probabilities.begin(), least_probabilities.end(),
                          [&](double least) { return least <= significance / static_cast<double>(k); });
        if (static_cast<std::size_t>(could) <= k) return k;
    }
}

std::optional<std::uint64_t> times_as_many(const Count& first, const Count& second, double wanted) {
    const auto rate = [](const Count& count) {
        return static_cast<double>(count.failed) / static_cast<double>(count.of);
    };
    if (first.of == 0 || second.of == 0 || rate(second) <= rate(first)) return std::nullopt;
    const auto enough = [&](std::uint64_t times) {
        const auto multiplied = [&](const Count& count) {
            return Count{count.failed * times, count.of * times};
        };
        return fisher(multiplied(first), multiplied(second)) <= wanted;
    };
    std::uint64_t low = 0, high = 1;
    while (!enough(high)) {
        low = high;
        if ((high *= 2) > 1024) return std::nullopt;
    }
    while (high - low > 1) (enough((low + high) / 2) ? high : low) = (low + high) / 2;
    return high;
}

double coverage(std::size_t n, std::size_t rank) {
    hold(rank > 0 && 2 * rank <= n + 1);
    // Outside are fewer than `rank` values on one side of the median, or on the other.
    double outside = 0;
    for (std::size_t i = 0; i < rank; ++i)
        outside += std::exp(log_choose(n, i) - static_cast<double>(n) * std::log(2.0));
    return std::max(0.0, 1 - 2 * outside);
}

std::size_t rank_of_interval(std::size_t n) {
    std::size_t rank = 0;
    while (2 * (rank + 1) <= n + 1 && coverage(n, rank + 1) >= confidence) ++rank;
    return rank;
}

double apart_by_chance(std::size_t first_n, std::size_t first_rank, std::size_t second_n,
                       std::size_t second_rank) {
    // The top of the second is below the bottom of the first: as many of the lowest of all are of the second.
    const std::size_t top = second_n + 1 - second_rank;
    return at_least(top, first_n + second_n, second_n, top + first_rank - 1);
}

Interval median_interval(std::vector<double> values, std::size_t rank) {
    hold(!values.empty() && rank > 0 && 2 * rank <= values.size() + 1);
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size(), middle = n / 2;
    const double median = n % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values[rank - 1], values[n - rank]};
}

std::optional<Ranks> ranks_to_compare(std::size_t first_n, std::size_t second_n, std::size_t many) {
    Ranks ranks{rank_of_interval(first_n), rank_of_interval(second_n)};
    while (ranks.first > 0 && ranks.second > 0) {
        // Either of the two may be the one below.
        const double chance = apart_by_chance(first_n, ranks.first, second_n, ranks.second) +
                              apart_by_chance(second_n, ranks.second, first_n, ranks.first);
        if (chance * static_cast<double>(many) <= significance) return ranks;
        if (ranks.first == 1 && ranks.second == 1) return std::nullopt;
        ranks = {std::max<std::size_t>(1, ranks.first - 1), std::max<std::size_t>(1, ranks.second - 1)};
    }
    return std::nullopt;
}

std::size_t values_to_compare(std::size_t many) {
    std::size_t n = 1;
    while (!ranks_to_compare(n, n, many)) ++n;
    return n;
}

}  // namespace peerproof
