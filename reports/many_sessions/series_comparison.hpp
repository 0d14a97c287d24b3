// Two series of runs of one bench compared: is the new driver worse than the old one?
//
//   const SeriesComparison comparison = compare(read_series(old), read_series(fresh));
//   comparison.exit_code()      // 0 nothing is worse, 1 something is, 75 the evidence is not enough
//
// How often verdicts and checks came to what is asked of Fisher's exact test; of each check, as many as could have accused
// anybody count against it (statistics.hpp). Measurements are compared by the medians of the runs, with intervals that
// assume no distribution. A difference for the worse that chance makes as well is not decided, and no pass: it is told
// with the number of runs that would decide it. Runs without a verdict do not count.
//
// Errors: FormatError where a session is in both.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/many_sessions/series.hpp"

namespace peerproof {

struct SeriesChange {
    std::string kind;  // "verdict", "check", "measurement"
    std::string where;
    std::string before, after;  // "delivered 10", "delivered 4, wrong 6"; medians with their intervals
    Effect effect = Effect::other;
    bool decided = false;  // whether the evidence is enough
    std::optional<double>
        probability;  // by chance, over all of its kind that were compared; of measurements none
    // So many runs of each would decide it, at the rates that were seen; none where that is not known.
    std::optional<std::pair<std::size_t, std::size_t>> enough;
};

struct SeriesComparison {
    struct Side {
        std::string of;  // "10 runs: 9 open, 1 silent"
        std::string from;
        VerdictWord verdict = VerdictWord::no_verdict;
        Count not_as_expected;       // of the runs with a verdict
        std::size_t no_verdict = 0;  // runs without one
    };
    Side before, after;
    std::string banner;
    std::size_t checks = 0, measurements = 0;  // that were compared
    std::vector<SeriesChange> changes;         // verdict, checks, measurements; of each the worse first
    std::vector<std::string> remarks;

    std::size_t count(Effect effect, bool decided) const;
    int exit_code() const;
    std::string result() const;  // one sentence
};

// Why the two say nothing of each other: other GPUs, a simulated bench and a real one. Empty where they do.
std::string why_not_comparable(const Series& before, const Series& after);

SeriesComparison compare(const Series& before, const Series& after);

std::string comparison_text(const SeriesComparison&);
std::string comparison_markdown(const SeriesComparison&);
std::string comparison_json(const SeriesComparison&);
std::string comparison_html(const SeriesComparison&);

}  // namespace peerproof
