// The data of report.js. Texts that occur again and again stand once in "texts" and are named by their place
// there.
//
//   {"gpus": 3,
//    "paths": {"0 1": 0},                   pair -> number of the picture in the section of paths
//    "hints": [[name, gpu, peer, value]],   of the plan, where they are of a pair
//    "texts": ["", "word", ...],
//    "cases": [{"test": t, "steps": [[name, outcome, bytes, call, error, diagnosis, detail, mismatched words,
//               first offset, expected, found, seconds]], "hints": [[name, gpu, peer, value]],
//               "measurements": [[name, unit, median, p5, p95, samples, ceiling or null]],   where it delivered
//               "claimed": [[name, unit, median]],                                      where it did not
//               "end": "exit code 1", "log": "..."}]}     in the order of the table; without record null
//
// Logs have a budget: those of cases that did not hold come first, and what does not fit is in logs/.

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t all_logs = 240 * 1024, one_log = 4096, least_log = 256;
constexpr std::size_t all_texts = 700 * 1024;

class Texts {
  public:
    Texts() { (void)number(""); }

    std::size_t number(std::string_view bytes, std::size_t limit = 400) {
        std::string text = one_line(bytes, limit);
        if (size_ + text.size() > all_texts) text = "left out, this page is full: see the record";
        const auto [at, is_new] = numbers_.emplace(std::move(text), numbers_.size());
        if (is_new) {
            size_ += at->first.size() + 3;
            list_.push_back(at->first);
        }
        return at->second;
    }
    const Json& list() const { return list_; }

  private:
    std::map<std::string, std::size_t> numbers_;
    std::size_t size_ = 0;
    Json list_ = Json::array();
};

// Four digits are enough for a person, and half the bytes.
double rounded(double value) {
    if (value == 0 || !std::isfinite(value)) return 0;
    const double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - 3);
    return std::stod(format("{:.4g}", std::round(value / unit) * unit));
}

std::string tail(const std::string& log, std::size_t limit) {
    if (log.size() <= limit) return xml_text(log, 6 * limit);
    std::size_t from = log.size() - limit;
    // At the beginning of a line, unless that would lose most of it.
    if (const std::size_t line = log.find('\n', from); line < from + limit / 2) from = line + 1;
    return "...\n" + xml_text(std::string_view(log).substr(from), 6 * limit);
}

// Bytes of log that each case of a kind may show.
struct LogShares {
    std::size_t held = 0, others = 0;
};

LogShares log_shares(const Ledger& ledger) {
    std::size_t held = 0, others = 0, used = 0;
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (entry.record && !entry.record->log.empty()) ++(entry.holds() ? held : others);
    }
    LogShares shares{0, one_log};
    if (others > 0) shares.others = std::min(one_log, all_logs / others);
    used = others * shares.others;
    if (held > 0) shares.held = std::min(one_log, (all_logs - std::min(all_logs, used)) / held);
    if (shares.held < least_log) shares.held = 0;
    return shares;
}

Json step_json(const Step& step, Texts& texts) {
    return {texts.number(step.name),
            texts.number(to_string(step.outcome)),
            step.bytes,
            texts.number(step.call),
            texts.number(step.error),
            texts.number(step.diagnosis),
            texts.number(step.detail),
            step.mismatched_words,
            step.first_offset,
            one_line(step.expected_hex, 32),
            one_line(step.found_hex, 32),
            rounded(step.seconds)};
}

Json hint_json(const Hint& hint, Texts& texts) {
    return {texts.number(hint.name), hint.gpu, hint.peer, texts.number(hint.value)};
}

std::string ending(const Record& record) {
    if (record.signal) return format("signal {}", *record.signal);
    return record.exit_code ? format("exit code {}", *record.exit_code) : "no exit code";
}

class Evidence {
  public:
    explicit Evidence(const View& view) : view_(view), logs_(log_shares(view.ledger)) {
        for (std::size_t i = 0; i < view.paths.size(); ++i) {
            for (const auto& [a, b] : view.paths[i].pairs) path_of_[format("{} {}", a, b)] = i;
        }
    }

    Json json() {
        Json cases = Json::array(), hints = Json::array();
        for (const Ledger::Entry& entry : view_.ledger.entries())
            cases.push_back(entry.record ? case_json(entry) : Json());
        if (view_.session().plan) {
            for (const Hint& hint : view_.session().plan->hints) {
                if (hint.peer != Hint::none) hints.push_back(hint_json(hint, texts_));
            }
        }
        return {{"gpus", view_.ledger.gpus()},
                {"paths", path_of_},
                {"hints", hints},
                {"texts", texts_.list()},
                {"cases", cases}};
    }

  private:
    Json case_json(const Ledger::Entry& entry) {
        const Record& record = *entry.record;
        Json steps = Json::array(), hints = Json::array(), measurements = Json::array();
        for (const Step& step : record.steps) steps.push_back(step_json(step, texts_));
        for (const Hint& hint : record.hints) hints.push_back(hint_json(hint, texts_));
        for (const Measurement& measurement : record.measurements)
            measurements.push_back(entry.is_measured() ? measurement_json(measurement, *entry.planned)
                                                       : claim_json(measurement));
        const std::string place = place_of(*entry.planned);
        std::string test = entry.planned->test;
        if (test.ends_with(place)) test.resize(test.size() - place.size());
        Json made{{"test", texts_.number(test)},
                  {"steps", steps},
                  {"hints", hints},
                  {"end", texts_.number(ending(record))}};
        if (!measurements.empty()) made[entry.is_measured() ? "measurements" : "claimed"] = measurements;
        const std::size_t share = entry.holds() ? logs_.held : logs_.others;
        if (share > 0 && !record.log.empty()) made["log"] = tail(record.log, share);
        return made;
    }

    Json claim_json(const Measurement& measurement) {
        return {texts_.number(measurement.name), texts_.number(measurement.unit),
                rounded(measurement.median)};
    }

    Json measurement_json(const Measurement& measurement, const Case& planned) {
        const auto of_path = ceiling_of(view_.ledger, view_.pairs, planned, measurement);
        Json ceiling;
        if (of_path && of_path->known()) ceiling = rounded(*of_path->gb_per_s);
        return {texts_.number(measurement.name),
                texts_.number(measurement.unit),
                rounded(measurement.median),
                rounded(measurement.p5),
                rounded(measurement.p95),
                measurement.samples.size(),
                ceiling};
    }

    const View& view_;
    LogShares logs_;
    std::map<std::string, std::size_t> path_of_;
    Texts texts_;
};

}  // namespace

nlohmann::ordered_json evidence(const View& view) { return Evidence(view).json(); }

}  // namespace peerproof::html
