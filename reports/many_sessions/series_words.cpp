#include "reports/many_sessions/series_words.hpp"

#include <algorithm>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

std::vector<std::pair<std::string, std::size_t>> most_frequent_first(
    const std::map<std::string, std::size_t>& counts) {
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

}  // namespace

std::string counted(std::size_t count, std::string_view word) {
    return format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string percent(double share) { return format("{:.3g} %", 100 * share); }

std::string at_most(const Count& seen) {
    return seen.of == 0 ? "not tried" : percent(failure_rate_at_most(seen));
}

std::string failed_of(const Count& seen) { return format("{} of {}", seen.failed, seen.of); }

std::string outcomes_text(const std::map<std::string, std::size_t>& outcomes) {
    std::vector<std::string> words;
    for (const auto& [word, count] : most_frequent_first(outcomes))
        words.push_back(format("{} {}", word, count));
    return join(words, ", ");
}

std::string verdicts_text(const Series& series) {
    std::vector<std::string> words;
    for (const auto& [word, count] : most_frequent_first(series.verdicts()))
        words.push_back(format("{} {}", count, word));
    return words.empty() ? "none" : join(words, ", ");
}

std::string bench_text(const Series& series) {
    for (const SeriesRun& run : series.runs) {
        if (run.fingerprint.empty()) continue;
        std::vector<std::string> parts;
        for (const char* name : {"gpus", "driver", "kernel", "nccl"}) {
            const std::string value = one_line(run.fingerprint.at(name), list_limit);
            parts.push_back(format("{} {}", name, value.empty() ? "unknown" : value));
        }
        return join(parts, "; ");
    }
    return "unknown: no run has a plan";
}

std::vector<SeriesRow> rows_of(const Series& series) {
    std::vector<SeriesRow> rows;
    for (const SeriesCase& one : series.cases) {
        const std::string check =
            format("{}.{}", to_string(one.planned.family), one_line(one.planned.check, 64));
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const SeriesRow& row) {
            return row.check == check && row.gates == one.planned.gates && row.runs == one.runs &&
                   row.outcomes == one.outcomes;
        });
        if (same != rows.end())
            same->places.push_back(place_of(one.planned));
        else
            rows.push_back({check,
                            one.planned.title,
                            one.planned.gates,
                            {place_of(one.planned)},
                            false,
                            one.runs,
                            one.outcomes});
    }
    for (SeriesRow& row : rows)
        row.is_everywhere = std::count_if(rows.begin(), rows.end(), [&](const SeriesRow& other) {
                                return other.check == row.check;
                            }) == 1;
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SeriesRow& a, const SeriesRow& b) { return a.runs.failed > b.runs.failed; });
    return rows;
}

std::string failed_of(const SeriesRow& row) { return row.gates ? failed_of(row.runs) : "information"; }

std::string places_of(const SeriesRow& row) {
    return row.is_everywhere && row.places.size() > 1 ? format("all {} places", row.places.size())
                                                      : join(row.places, ", ");
}

std::vector<SeriesPairRow> pair_rows_of(const Series& series) {
    std::vector<SeriesPairRow> rows;
    for (const SeriesPair& pair : series.pairs) {
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const SeriesPairRow& row) {
            return row.runs == pair.runs && row.operations == pair.operations;
        });
        if (same != rows.end())
            same->pairs.push_back(place_name(pair.gpus));
        else
            rows.push_back({{place_name(pair.gpus)}, pair.runs, pair.operations});
    }
    return rows;
}

std::vector<std::string> flips_of(const Series& series) {
    std::vector<std::string> flips;
    for (const SeriesCase& one : series.cases) {
        if (!one.flipped()) continue;
        std::string text = format("{}: {}", one.planned.id, outcomes_text(one.outcomes));
        if (!one.failed_in.empty()) {
            std::vector<std::string> numbers;
            for (const std::size_t number : one.failed_in) numbers.push_back(format("{}", number));
            text += format("; failed in run{} {}", numbers.size() == 1 ? "" : "s", some_of(numbers, 100));
        }
        flips.push_back(text);
    }
    return flips;
}

}  // namespace peerproof
