#include "reports/many_sessions/series_comparison.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "reports/many_sessions/series_words.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

// What two series say of one thing, by its ranks.
struct Pairing {
    SeriesChange change;  // without what is to be found out
    const Ranked* before;
    const Ranked* after;
};

// How often it was below a rank.
Count below(const Ranked& ranked, int rank) {
    Count count;
    for (const auto& [each, times] : ranked) count += Count{each < rank ? times : 0, times};
    return count;
}

// Whether it is below that rank more often in the one or in the other: one test in each direction.
struct Test {
    std::size_t pairing;
    Count before, after;
};

std::vector<Test> tests_of(const std::vector<Pairing>& pairings) {
    std::vector<Test> tests;
    for (std::size_t i = 0; i < pairings.size(); ++i) {
        Ranked seen = *pairings[i].before;
        seen.insert(pairings[i].after->begin(), pairings[i].after->end());
        for (auto rank = seen.begin(); rank != seen.end(); ++rank) {
            if (rank != seen.begin())
                tests.push_back(
                    {i, below(*pairings[i].before, rank->first), below(*pairings[i].after, rank->first)});
        }
    }
    return tests;
}

bool is_more(const Count& first, const Count& second) {
    return second.failed * first.of > first.failed * second.of;
}

// The differences in one direction: `from` fails less than `to`. Of one thing the least probable is kept, and what is worse
// by one rank is not called better by another: that direction comes first.
void find_differences(const std::vector<Test>& tests, Count Test::*from, Count Test::*to, Effect effect,
                      std::vector<Pairing>& pairings) {
    std::vector<double> least;
    for (const Test& test : tests) least.push_back(least_fisher(test.*from, test.*to));
    const std::size_t many = tests_that_count(least);
    // With more runs each test counts in which anything failed at all.
    const auto then = std::max<std::ptrdiff_t>(
        1, std::count_if(least.begin(), least.end(), [](double probability) { return probability < 1; }));
    for (const Test& test : tests) {
        if (!is_more(test.*from, test.*to)) continue;
        SeriesChange& change = pairings[test.pairing].change;
        const double probability = std::min(1.0, fisher(test.*from, test.*to) * static_cast<double>(many));
        if (change.probability && (change.effect != effect || *change.probability <= probability)) continue;
        change.effect = effect;
        change.probability = probability;
        change.decided = probability <= significance;
        change.enough.reset();
        if (const auto times = times_as_many(test.*from, test.*to, significance / static_cast<double>(then)))
            change.enough = {test.before.of * *times, test.after.of * *times};
    }
}

// Those of them that differ, the worse first.
void add_changes(std::vector<Pairing>& pairings, std::vector<SeriesChange>& changes) {
    const std::vector<Test> tests = tests_of(pairings);
    find_differences(tests, &Test::before, &Test::after, Effect::worse, pairings);
    find_differences(tests, &Test::after, &Test::before, Effect::better, pairings);
    std::stable_sort(pairings.begin(), pairings.end(), [](const Pairing& a, const Pairing& b) {
        return std::pair(a.change.effect, !a.change.decided) < std::pair(b.change.effect, !b.change.decided);
    });
    for (const Pairing& pairing : pairings)
        if (pairing.change.probability) changes.push_back(pairing.change);
}

void verdicts(const Series& before, const Series& after, std::vector<SeriesChange>& changes) {
    const Ranked was = before.ranks(), is = after.ranks();
    std::vector<Pairing> one{
        {{"verdict", "verdict", verdicts_text(before), verdicts_text(after)}, &was, &is}};
    add_changes(one, changes);
}

void checks(const Series& before, const Series& after, SeriesComparison& comparison) {
    std::map<std::string, const SeriesCase*> later;
    for (const SeriesCase& one : after.cases) later[one.planned.id] = &one;
    std::vector<Pairing> pairings;
    std::vector<std::string> alone;
    for (const SeriesCase& one : before.cases) {
        const auto found = later.find(one.planned.id);
        if (found == later.end()) {
            alone.push_back(one.planned.id);
            continue;
        }
        const SeriesCase& now = *found->second;
        if (one.planned.gates || now.planned.gates)
            pairings.push_back(
                {{"check", one.planned.id, outcomes_text(one.outcomes), outcomes_text(now.outcomes)},
                 &one.goodness,
                 &now.goodness});
        later.erase(found);
    }
    for (const auto& [id, ignored] : later) alone.push_back(id);
    comparison.checks = pairings.size();
    add_changes(pairings, comparison.changes);
    if (!alone.empty())
        comparison.remarks.push_back(format("{} of one series only, and not compared: {}",
                                            counted(alone.size(), "check"), some_of(alone, list_limit)));
}

std::string interval_text(const Interval& interval, const std::string& unit) {
    return format("{:.4g} {} ({:.4g} to {:.4g})", interval.median, one_line(unit, 16), interval.from,
                  interval.to);
}

void measurements(const Series& before, const Series& after, SeriesComparison& comparison) {
    std::vector<std::pair<const SeriesMeasurement*, const SeriesMeasurement*>> both;
    for (const SeriesMeasurement& was : before.measurements)
        for (const SeriesMeasurement& is : after.measurements)
            if (is.case_id == was.case_id && is.name == was.name && is.unit == was.unit)
                both.push_back({&was, &is});
    comparison.measurements = both.size();
    std::vector<SeriesChange> moved;
    for (const auto& [was, is] : both) {
        const auto ranks = ranks_to_compare(was->values.size(), is->values.size(), both.size());
        const Interval old = median_interval(was->values, ranks ? ranks->first : 1),
                       now = median_interval(is->values, ranks ? ranks->second : 1);
        if (now.from <= old.to && old.from <= now.to) continue;
        const bool more_is_better = was->unit == "GB/s", more = now.median > old.median;
        SeriesChange change{"measurement",
                            format("{}: {}", was->case_id, one_line(was->name, 64)),
                            interval_text(old, was->unit),
                            interval_text(now, was->unit),
                            more == more_is_better ? Effect::better : Effect::worse,
                            ranks.has_value()};
        if (!ranks) change.enough.emplace(values_to_compare(both.size()), values_to_compare(both.size()));
        moved.push_back(change);
    }
    std::stable_sort(moved.begin(), moved.end(),
                     [](const SeriesChange& a, const SeriesChange& b) { return a.effect < b.effect; });
    comparison.changes.insert(comparison.changes.end(), moved.begin(), moved.end());
}

SeriesComparison::Side side_of(const Series& series) {
    SeriesComparison::Side side{
        .of = format("{}: {}", counted(series.runs.size(), "run"), verdicts_text(series))};
    if (!series.runs.empty())
        side.from = format("{} to {}", one_line(series.runs.front().session, 100),
                           one_line(series.runs.back().session, 100));
    side.verdict = series.verdict();
    side.not_as_expected = series.not_as_expected();
    side.no_verdict = series.runs.size() - side.not_as_expected.of;
    return side;
}

const SeriesRun* run_with_a_plan(const Series& series) {
    for (const SeriesRun& run : series.runs)
        if (!run.fingerprint.empty()) return &run;
    return nullptr;
}

void hold_apart(const Series& before, const Series& after) {
    std::set<std::string> sessions;
    for (const SeriesRun& run : before.runs) sessions.insert(run.session);
    for (const SeriesRun& run : after.runs)
        if (sessions.count(run.session) != 0)
            throw FormatError(format("session {} is on both sides", one_line(run.session, 100)));
}

}  // namespace

std::size_t SeriesComparison::count(Effect effect, bool decided) const {
    return static_cast<std::size_t>(std::count_if(
        changes.begin(), changes.end(),
        [&](const SeriesChange& change) { return change.effect == effect && change.decided == decided; }));
}

int SeriesComparison::exit_code() const {
    if (count(Effect::worse, true) > 0) return exit_refuted;
    const bool is_decided = count(Effect::worse, false) == 0 && after.no_verdict == 0;
    return is_decided && before.not_as_expected.of > 0 && after.not_as_expected.of > 0 ? exit_held
                                                                                       : exit_no_verdict;
}

std::string SeriesComparison::result() const {
    if (const std::size_t worse = count(Effect::worse, true); worse > 0)
        return format("worse: {} that chance does not explain", counted(worse, "difference"));
    if (before.not_as_expected.of == 0 || after.not_as_expected.of == 0)
        return "not decided: a series has no run with a verdict";
    if (const std::size_t open = count(Effect::worse, false); open > 0)
        return format("not decided: {} for the worse, and the evidence is not enough",
                      counted(open, "difference"));
    if (after.no_verdict > 0)
        return format("not decided: {} of the later series without a verdict",
                      counted(after.no_verdict, "run"));
    return format("nothing is worse; what never failed in {} may still fail in {} of them (95 %)",
                  counted(after.not_as_expected.of, "run"),
                  percent(failure_rate_at_most({0, after.not_as_expected.of})));
}

std::string why_not_comparable(const Series& before, const Series& after) {
    const SeriesRun *was = run_with_a_plan(before), *is = run_with_a_plan(after);
    if (was == nullptr || is == nullptr) return "no run of one of them has a plan: its bench was not listed";
    if (was->simulated.has_value() != is->simulated.has_value())
        return "one is of a simulated bench, and one of a real one";
    if (was->self_check != is->self_check) return "one is a self-check, and one is not";
    if (was->fingerprint.at("gpus") != is->fingerprint.at("gpus"))
        return "they are of different GPUs, by their UUIDs";
    return "";
}

SeriesComparison compare(const Series& before, const Series& after) {
    hold_apart(before, after);
    SeriesComparison comparison{
        .before = side_of(before), .after = side_of(after), .banner = before.banner()};
    if (const std::string banner = after.banner(); comparison.banner.find(banner) == std::string::npos)
        comparison.banner += (comparison.banner.empty() ? "" : "\n") + banner;
    const SeriesRun *was = run_with_a_plan(before), *is = run_with_a_plan(after);
    if (was != nullptr && is != nullptr) {
        for (const std::string& line : differences(was->fingerprint, is->fingerprint))
            comparison.remarks.push_back(one_line(line, list_limit));
    }
    verdicts(before, after, comparison.changes);
    checks(before, after, comparison);
    measurements(before, after, comparison);
    for (const auto& [name, series] : {std::pair{"before", &before}, std::pair{"after", &after}})
        for (const std::string& remark : series->remarks)
            comparison.remarks.push_back(format("{}: {}", name, remark));
    return comparison;
}

}  // namespace peerproof
