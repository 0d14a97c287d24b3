// How the pages of series and of their comparison say counts, and which rows they have.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/many_sessions/series.hpp"

namespace peerproof {

std::string counted(std::size_t count, std::string_view word);  // "1 run", "10 runs"
std::string percent(double share);                              // "25.9 %", "0.06 %"
std::string at_most(const Count& seen);                         // "25.9 %"; "not tried" where nothing was
std::string failed_of(const Count& seen);                       // "0 of 10"
// "delivered 9, wrong 1", the most frequent first.
std::string outcomes_text(const std::map<std::string, std::size_t>& outcomes);
std::string verdicts_text(const Series& series);  // "9 open, 1 silent"
std::string bench_text(const Series& series);     // "2 GPUs (NVIDIA H200 GPU-...), driver 580.1, ..."

// Places of one check of which the same is to be said.
struct SeriesRow {
    std::string check;  // "core.read"
    std::string title;
    bool gates = true;  // what does not is information: no failure, whatever it says
    std::vector<std::string> places;
    bool is_everywhere = false;  // no place of this check is in another row
    Count runs;
    std::map<std::string, std::size_t> outcomes;
};
std::vector<SeriesRow> rows_of(const Series& series);
std::string failed_of(const SeriesRow& row);  // "1 of 10"; "information"
std::string places_of(const SeriesRow& row);  // "all 6 places"; "gpu0_to_gpu1, gpu1_to_gpu0"

// Directed pairs of which the same is to be said.
struct SeriesPairRow {
    std::vector<std::string> pairs;
    Count runs, operations;
};
std::vector<SeriesPairRow> pair_rows_of(const Series& series);

// "core.read.gpu0_to_gpu1: delivered 9, wrong 1; failed in run 10"
std::vector<std::string> flips_of(const Series& series);

// What the bounds mean, once for a page.
inline constexpr const char* what_bounds_mean =
    "The bounds are those of Clopper and Pearson, exact, one-sided, 95 %; for n clean trials 1 - 0.05^(1/n). "
    "That of operations "
    "is of failures that are independent of each other: what differs from run to run is bounded by the runs "
    "alone.";

}  // namespace peerproof
