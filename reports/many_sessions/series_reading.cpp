// Sessions become a series: what each run was, and how often each case came to what.

#include <algorithm>

#include "reports/judging/ledger.hpp"
#include "reports/many_sessions/series.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> settings_of(const Plan& plan) {
    return {{"measurements", std::string(to_string(plan.measurements))},
            {"the large step", format("{} MiB", plan.large_step_mib)},
            {"peerproof", plan.suite},
            {"the number of cases", format("{}", plan.cases.size())}};
}

SeriesRun run_of(const Judged& judged) {
    const Verdict& verdict = judged.verdict;
    SeriesRun run{.origin = judged.origin, .session = judged.session.id};
    run.word = verdict.word;
    run.as_expected = verdict.as_expected;
    run.exit_code = verdict.exit_code;
    run.rank = rank_of(verdict);
    run.expected = verdict.expected_text;
    if (verdict.signature) run.signature = verdict.signature->text();
    if (!verdict.reasons.empty()) run.reason = verdict.reasons.front().text;
    run.banner = verdict.banner();
    run.simulated = verdict.simulated;
    run.self_check = verdict.self_check;
    if (judged.session.plan) {
        run.started = judged.session.plan->started;
        run.fingerprint = fingerprint_of(*judged.session.plan);
        run.settings = settings_of(*judged.session.plan);
    }
    return run;
}

bool accepts(const Case& planned, Outcome outcome) {
    return std::find(planned.accepted.begin(), planned.accepted.end(), outcome) != planned.accepted.end();
}

// The steps of a case that were tried. What failed and left no step of its own (a hang) is one more.
Count operations_of(const Ledger::Entry& entry) {
    Count operations;
    for (const Step& step : entry.record->steps) {
        if (step.outcome == Outcome::inconclusive || step.outcome == Outcome::not_applicable) continue;
        ++operations.of;
        if (!accepts(*entry.planned, step.outcome)) ++operations.failed;
    }
    if (operations.failed == 0 && !entry.holds()) ++operations.failed, ++operations.of;
    return operations;
}

// Takes one session after the other.
class Fold {
  public:
    explicit Fold(Series& series) : series_(series) {}

    void take(const Judged& judged, bool has_verdict) {
        const Ledger ledger(judged.session);
        std::map<std::size_t, bool> failed_pairs;  // those that were tried in this run
        for (const Ledger::Entry& entry : ledger.entries()) {
            SeriesCase& one = case_of(*entry.planned);
            ++one.outcomes[std::string(entry.fate())];
            if (!has_verdict) continue;
            ++one.goodness[goodness_of(entry)];
            measurements(entry);
            if (!entry.planned->gates || !entry.is_known() || entry.is_refused_way()) continue;
            const bool failed = !entry.holds();
            one.runs += Count{failed ? 1u : 0u, 1};
            const Count operations = operations_of(entry);
            one.operations += operations;
            if (failed) one.failed_in.push_back(series_.runs.size());
            if (!is_pair(*entry.planned)) continue;
            const std::size_t pair = pair_of(entry.planned->gpus);
            series_.pairs[pair].operations += operations;
            failed_pairs[pair] |= failed;
        }
        for (const auto& [pair, failed] : failed_pairs)
            series_.pairs[pair].runs += Count{failed ? 1u : 0u, 1};
    }

    // After the last. Of what is asked again, "not applicable" says that this run had no reason to.
    void close() {
        for (SeriesCase& one : series_.cases) {
            one.answers = 0;
            for (const auto& [word, count] : one.outcomes) {
                const auto outcome = parse_outcome(word);
                if (!outcome || *outcome == Outcome::not_started || *outcome == Outcome::inconclusive)
                    continue;
                if (*outcome == Outcome::not_applicable && one.planned.family == Family::again) continue;
                ++one.answers;
            }
        }
    }

  private:
    static bool is_pair(const Case& planned) {
        return planned.gpus.size() == 2 && place_of(planned) == place_name(planned.gpus);
    }

    SeriesCase& case_of(const Case& planned) {
        const auto [found, is_new] = cases_.emplace(planned.id, series_.cases.size());
        if (is_new) series_.cases.push_back({.planned = planned});
        return series_.cases[found->second];
    }

    std::size_t pair_of(const std::vector<int>& gpus) {
        const auto [found, is_new] = pairs_.emplace(gpus, series_.pairs.size());
        if (is_new) series_.pairs.push_back({.gpus = gpus});
        return found->second;
    }

    void measurements(const Ledger::Entry& entry) {
        if (!entry.is_measured()) return;
        for (const Measurement& one : entry.record->measurements) {
            const auto [found, is_new] = measurements_.emplace(
                std::vector{entry.planned->id, one.name, one.unit}, series_.measurements.size());
            if (is_new) series_.measurements.push_back({entry.planned->id, one.name, one.unit, {}});
            series_.measurements[found->second].values.push_back(one.median);
        }
    }

    Series& series_;
    std::map<std::string, std::size_t> cases_;
    std::map<std::vector<int>, std::size_t> pairs_;
    std::map<std::vector<std::string>, std::size_t> measurements_;
};

// "the boot differs: a (2 runs), b (1 run)"
void note_mixed(const std::string& what, const std::vector<std::string>& values,
                std::vector<std::string>& remarks) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& value : values) ++counts[value.empty() ? "unknown" : one_line(value, 100)];
    if (counts.size() < 2) return;
    std::vector<std::string> words;
    for (const auto& [value, count] : counts)
        words.push_back(format("{} ({} run{})", value, count, count == 1 ? "" : "s"));
    remarks.push_back(format("{} differs: {}", what, some_of(words, list_limit)));
}

void note_what_differs(Series& series) {
    std::map<std::string, std::vector<std::string>> values;
    for (const SeriesRun& run : series.runs) {
        if (run.fingerprint.empty()) continue;  // no plan: it says nothing of these
        values["what is expected"].push_back(run.expected);
        for (const auto& [name, value] : run.settings) values[name].push_back(value);
        for (const auto& [name, value] : run.fingerprint)
            values[name == "boot_id" ? "the boot" : name].push_back(value);
    }
    for (const auto& [what, all] : values) note_mixed(what, all, series.remarks);
}

}  // namespace

Series read_series(const std::vector<fs::path>& sessions, std::optional<std::size_t> wanted) {
    Series series{.wanted = wanted};
    Fold fold(series);
    std::map<std::string, std::string> origins;
    for (const fs::path& path : sessions) {
        try {
            const Judged judged = read_judged(path);
            series.runs.push_back(run_of(judged));
            fold.take(judged, series.runs.back().has_verdict());
        } catch (const std::exception& trouble) {
            SeriesRun run{.origin = path.string(), .session = path.string()};
            run.reason = trouble.what();
            series.runs.push_back(run);
        }
        const SeriesRun& run = series.runs.back();
        if (const auto [twin, is_new] = origins.emplace(run.session, run.origin); !is_new)
            throw FormatError(format("session {} is there twice, and would count twice: {} and {}",
                                     one_line(run.session, 100), one_line(twin->second, 300),
                                     one_line(run.origin, 300)));
    }
    fold.close();
    note_what_differs(series);
    return series;
}

}  // namespace peerproof
