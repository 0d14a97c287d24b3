// Many runs of one bench as one result: a bench that is open nine times of ten is not open.
//
//   const Series series = read_series(sessions_in({"runs/20261201T051500Z-runs"}), 10);
//   series.verdict()                          // the worst of them
//   failure_rate_at_most(pair.operations)     // what ten clean runs leave possible
//
// Sessions are judged one after the other, as read_judged() does, and only what is counted is kept. What a run without
// a verdict saw is shown, and counts neither as clean nor as failed: nothing vouches for it.
//
// The verdict is that of the worst run: silent, hung, partial, suspect, any other that was not expected; then a run without a
// verdict, or one that is not there; then the others. A run that says nothing takes back nothing of what another
// one saw.
//
// Errors: FormatError where a place holds no session, or one twice. A session that cannot be read is a run
// without a verdict.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/many_sessions/comparison.hpp"
#include "reports/many_sessions/statistics.hpp"
#include "session/fingerprint.hpp"

namespace peerproof {

struct SeriesRun {
    std::string origin, session, started;
    VerdictWord word = VerdictWord::no_verdict;
    bool as_expected = false;
    int exit_code = 75;
    int rank = 0;  // rank_of() its verdict
    std::string expected, signature, reason, banner;
    std::optional<std::string> simulated;
    bool self_check = false;
    Fingerprint fingerprint;                      // empty where there is no plan
    std::map<std::string, std::string> settings;  // that change what a run does

    bool has_verdict() const { return word != VerdictWord::no_verdict; }
};

// How often something was better or worse, by its rank: the higher, the better.
using Ranked = std::map<int, std::size_t>;

struct SeriesCase {
    Case planned;
    std::map<std::string, std::size_t> outcomes;  // every run's, "not run" too
    std::size_t answers = 0;  // how many different ones of them say something of the bench
    // In the runs with a verdict. Not what is information, is not known, does not apply, or was refused where that accuses
    // nobody.
    Count runs;
    Count operations;                    // its steps, each one act whose result the owner looked at
    Ranked goodness;                     // of the runs with a verdict, as goodness_of() has it
    std::vector<std::size_t> failed_in;  // numbers of runs, from 1

    bool flipped() const { return answers > 1; }
};

struct SeriesPair {
    std::vector<int> gpus;
    Count runs;        // in which any of its cases failed
    Count operations;  // of all its cases
};

struct SeriesMeasurement {
    std::string case_id, name, unit;
    std::vector<double> values;  // the median of each run in which it was measured
};

struct Series {
    std::vector<SeriesRun> runs;
    std::optional<std::size_t> wanted;  // how many runs were asked for
    std::vector<SeriesCase> cases;      // in the order of the plans
    std::vector<SeriesPair> pairs;      // directed ones
    std::vector<SeriesMeasurement> measurements;
    std::vector<std::string> remarks;  // boots, settings and expectations that differ

    bool is_whole() const { return !wanted || runs.size() >= *wanted; }
    VerdictWord verdict() const;
    bool as_expected() const;
    int exit_code() const;
    std::string reason() const;  // of the worst run, with its number; empty where all is as expected
    std::map<std::string, std::size_t> verdicts() const;
    Count not_as_expected() const;  // of the runs with a verdict
    Ranked ranks() const;           // of the runs with a verdict
    std::string banner() const;     // of all runs
};

// The sessions that are named, and those in the folders that are named, each once: in a folder by their names.
std::vector<std::filesystem::path> sessions_in(const std::vector<std::filesystem::path>& places);

Series read_series(const std::vector<std::filesystem::path>& sessions,
                   std::optional<std::size_t> wanted = {});

// Why these are no runs of one bench: other GPUs, driver, kernel or NCCL, simulated and real, self-check and none.
// Another boot is the same bench. Empty where they are.
std::string why_no_series(const Series&);

std::string series_text(const Series&);
std::string series_markdown(const Series&);
std::string series_json(const Series&);
std::string series_html(const Series&);

// Throws std::system_error where a file cannot be written.
void write_series(const Series&, const std::filesystem::path& folder);

}  // namespace peerproof
