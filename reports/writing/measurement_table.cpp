#include "reports/writing/measurement_table.hpp"

#include <algorithm>
#include <map>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {

std::string discrimination_sentence(const std::vector<PairMeasurements>& pairs) {
    double least = 1e9, most = 0, least_both = 1e9, most_both = 0;
    bool all_closed = true, one_way = true, bidirectional = true;
    for (const PairMeasurements& pair : pairs) {
        all_closed = all_closed && pair.closed;
        one_way = one_way && (!pair.ratio || tells_apart(*pair.ratio));
        bidirectional =
            bidirectional && (!pair.bidirectional_ratio || tells_apart(*pair.bidirectional_ratio));
        if (pair.ratio) least = std::min(least, *pair.ratio), most = std::max(most, *pair.ratio);
        if (pair.bidirectional_ratio)
            least_both = std::min(least_both, *pair.bidirectional_ratio),
            most_both = std::max(most_both, *pair.bidirectional_ratio);
    }
    if (most == 0 && most_both == 0) return "";
    const auto range = [](double low, double high) {
        return high - low < 0.0005 ? format("{:.3f}", high) : format("{:.3f} to {:.3f}", low, high);
    };
    one_way = one_way && most > 0;
    bidirectional = bidirectional && most_both > 0;
    std::string text =
        one_way && (bidirectional || most_both == 0) ? "bandwidth can tell the paths apart here"
        : one_way ? "bandwidth can tell the paths apart here one way, and cannot in both directions at once"
        : bidirectional
            ? "bandwidth cannot tell the paths apart here one way, and can in both directions at once"
            : "bandwidth cannot tell the paths apart here";
    // What is called direct then is the copy with peer access asked for, and it is staged as well.
    if (all_closed && !one_way && !bidirectional)
        text += ", where no pair has a direct path to tell from the staged one";
    text += ": a staged copy is";
    if (most > 0) text += format(" {} of a direct one", range(least, most));
    if (most_both > 0)
        text += format("{} {} in both directions at once", most > 0 ? "," : "", range(least_both, most_both));
    return text;
}

namespace {

std::string pair_name(const PairMeasurements& pair) { return place_name({pair.source, pair.destination}); }

std::string cell(const Measured& measured) {
    return measured ? format("{:.2f}", measured.measurement->median) : "-";
}

std::string spread(const Measured& measured) {
    return measured ? format("{:.2f} ({:.2f} to {:.2f})", measured.measurement->median,
                             measured.measurement->p5, measured.measurement->p95)
                    : "-";
}

std::string ratio_text(const std::optional<double>& ratio) { return ratio ? format("{:.3f}", *ratio) : "-"; }

std::string ceiling_text(const Ceiling& ceiling) {
    return ceiling.known() ? format("{:.2f}", *ceiling.gb_per_s) : "?";
}

void pair_lines(const std::vector<PairMeasurements>& pairs, std::vector<std::string>& lines) {
    lines.push_back(format("{:<15} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7}", "GB/s, us", "ceiling",
                           "read", "write", "copy", "staged", "ratio", "latency", "1-way"));
    for (const PairMeasurements& pair : pairs) {
        lines.push_back(format("{:<15} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7}", pair_name(pair),
                               pair.closed ? "-" : ceiling_text(pair.direct.ceiling), cell(pair.read),
                               cell(pair.write), cell(pair.copy), cell(pair.staged_copy),
                               ratio_text(pair.ratio), cell(pair.latency), cell(pair.ping_pong)));
    }
}

void two_lines(const std::vector<PairMeasurements>& pairs, std::vector<std::string>& lines) {
    for (const PairMeasurements& pair : pairs) {
        if (pair.source > pair.destination) continue;
        if (pair.bidirectional_read || pair.bidirectional_write)
            lines.push_back(format("bidirectional gpu{}, gpu{}, by kernels: {} GB/s read, {} written",
                                   pair.source, pair.destination, spread(pair.bidirectional_read),
                                   spread(pair.bidirectional_write)));
        if (!pair.bidirectional && !pair.bidirectional_staged) continue;
        lines.push_back(format("bidirectional gpu{}, gpu{}: {} GB/s with peer access, {} staged, ratio {}",
                               pair.source, pair.destination, spread(pair.bidirectional),
                               spread(pair.bidirectional_staged), ratio_text(pair.bidirectional_ratio)));
    }
}

void gpu_lines(const Ledger& ledger, std::vector<std::string>& lines) {
    const Observed seen = observed(ledger);
    for (int gpu = 0; gpu < ledger.gpus(); ++gpu) {
        const DrawnPath host = host_path(*ledger.session().plan, gpu, Reading::under_load, seen);
        const Measured in = measured(ledger, "host_link", {gpu}, "host_to_device"),
                       out = measured(ledger, "host_link", {gpu}, "device_to_host"),
                       own = measured(ledger, "own_bandwidth", {gpu}, "own_read"),
                       near = measured(ledger, "own_latency", {gpu});
        if (!in && !own && !near) continue;
        lines.push_back(
            format("gpu{}: host to GPU {} GB/s, GPU to host {}, ceiling {}; own memory {} GB/s, {} us", gpu,
                   spread(in), spread(out), ceiling_text(host.ceiling), cell(own), cell(near)));
    }
}

void path_lines(const std::vector<PairMeasurements>& pairs, std::vector<std::string>& lines) {
    std::map<std::string, std::vector<std::string>> unknown, narrowest, staging;
    for (const PairMeasurements& pair : pairs) {
        if (pair.direct.ceiling.known())
            narrowest[pair.direct.over + ", narrowest at " + pair.direct.ceiling.narrowest].push_back(
                pair_name(pair));
        else
            unknown[pair.direct.ceiling.unknown].push_back(pair_name(pair));
        if (pair.pipelining)
            staging[*pair.pipelining > 1.25 ? "staging overlaps its two hops"
                                            : "staging does one hop after the other"]
                .push_back(format("{} ({:.2f})", pair_name(pair), *pair.pipelining));
    }
    constexpr std::size_t places_limit = 200;
    for (const auto& [where, places] : narrowest)
        lines.push_back(format("path over {}: {}", where, some_of(places, places_limit)));
    for (const auto& [why, places] : unknown)
        lines.push_back(format("ceiling unknown ({}): {}", why, some_of(places, places_limit)));
    std::map<std::string, std::vector<std::string>> predicted_ratios;
    std::vector<std::string> measured_ratios;
    for (const PairMeasurements& pair : pairs) {
        if (pair.predicted_ratio)
            predicted_ratios[format("{:.3f}", *pair.predicted_ratio)].push_back(pair_name(pair));
        if (!pair.ratio) continue;
        const Measurement &staged = *pair.staged_copy.measurement, &copy = *pair.copy.measurement;
        measured_ratios.push_back(format("{} {:.3f} ({:.3f} to {:.3f})", pair_name(pair), *pair.ratio,
                                         staged.p5 / copy.p95, staged.p95 / copy.p5));
    }
    for (const auto& [ratio, places] : predicted_ratios)
        lines.push_back(format("staged over direct, predicted from the ceilings: {}: {}", ratio,
                               some_of(places, places_limit)));
    if (!measured_ratios.empty())
        lines.push_back("staged over direct, measured: " + some_of(measured_ratios, 2 * places_limit));
    for (const auto& [how, places] : staging)
        lines.push_back(format("{}: {}", how, some_of(places, places_limit)));
}

}  // namespace

std::vector<std::string> measurement_table(const Ledger& ledger) {
    std::vector<std::string> lines;
    if (const std::vector<PairMeasurements> pairs = measurements_of(ledger); !pairs.empty())
        pair_lines(pairs, lines);
    return lines;
}

std::vector<std::string> measurement_notes(const Ledger& ledger) {
    std::vector<std::string> lines;
    const std::vector<PairMeasurements> pairs = measurements_of(ledger);
    if (ledger.of(Family::measurement).empty()) return lines;
    if (!pairs.empty())
        lines.push_back(
            "medians of samples whose every byte was verified; ratio: staged over copy; 1-way: half a round "
            "trip");
    two_lines(pairs, lines);
    gpu_lines(ledger, lines);
    path_lines(pairs, lines);
    if (const std::string sentence = discrimination_sentence(pairs); !sentence.empty())
        lines.push_back(sentence);
    return lines;
}

}  // namespace peerproof
