#include "reports/judging/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/judging/findings.hpp"
#include "reports/reading/plain_text.hpp"

namespace peerproof {
namespace {

double speed_of(const LinkUnderLoad& link) {
    return pcie_ceiling(link.hop.speed, link.hop.lanes).gb_per_s.value_or(0);
}

std::optional<double> ratio_of(const Measured& staged, const Measured& direct) {
    if (!staged || !direct || direct.figure->median <= 0) return std::nullopt;
    return staged.figure->median / direct.figure->median;
}

std::optional<double> predicted(const DrawnRoad& staged, const DrawnRoad& direct) {
    if (!staged.ceiling.known() || !direct.ceiling.known() || *direct.ceiling.gb_per_s <= 0)
        return std::nullopt;
    return *staged.ceiling.gb_per_s / *direct.ceiling.gb_per_s;
}

// Against one full hop after the other: 1 / (1 / out + 1 / in).
std::optional<double> pipelining_of(const Ledger& ledger, const PairFigures& pair) {
    const Measured out = measured(ledger, "host_link", {pair.source}, "device_to_host"),
                   in = measured(ledger, "host_link", {pair.destination}, "host_to_device");
    if (!pair.staged_copy || !out || !in || out.figure->median <= 0 || in.figure->median <= 0)
        return std::nullopt;
    return pair.staged_copy.figure->median * (1 / out.figure->median + 1 / in.figure->median);
}

bool is_closed_pair(const Ledger& ledger, const std::vector<int>& place) {
    const auto* read = ledger.find(Family::core, "read", place);
    const auto* write = ledger.find(Family::core, "write", place);
    return read != nullptr && is_closed(*read) && write != nullptr && is_closed(*write);
}

std::vector<int> sorted(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

std::vector<LinkUnderLoad> loads_of(const Ledger& ledger, const std::vector<int>& gpus) {
    std::vector<LinkUnderLoad> loads;
    for (const auto* entry : ledger.of(Family::figure)) {
        if (entry->record == nullptr) continue;
        for (const LinkUnderLoad& link : entry->record->links) {
            if (std::find(gpus.begin(), gpus.end(), link.gpu) == gpus.end()) continue;
            const auto known = std::find_if(loads.begin(), loads.end(), [&](const LinkUnderLoad& one) {
                return one.gpu == link.gpu && one.hop.device == link.hop.device;
            });
            if (known == loads.end())
                loads.push_back(link);
            else if (speed_of(link) > speed_of(*known))
                *known = link;
        }
    }
    return loads;
}

Observed observed(const Ledger& ledger) {
    Observed seen;
    std::map<std::string, std::size_t> by_device;
    for (int gpu = 0; gpu < ledger.gpus(); ++gpu) {
        HostSpeed host{gpu, 0};
        for (const char* name : {"host_to_device", "device_to_host"}) {
            if (const Measured one = measured(ledger, "host_link", {gpu}, name); one)
                host.gb_per_s = std::max(host.gb_per_s, one.figure->median);
        }
        seen.host.push_back(host);
        for (const LinkUnderLoad& link : loads_of(ledger, {gpu})) {
            const auto [at, is_new] = by_device.emplace(link.hop.device, seen.loads.size());
            if (is_new)
                seen.loads.push_back(link);
            else if (speed_of(link) > speed_of(seen.loads[at->second]))
                seen.loads[at->second] = link;
        }
    }
    return seen;
}

Ceiling ceiling_of(const PairFigures& pair, std::string_view check) {
    const bool both = check.starts_with("both_ways"),
               copy = check.find("copy") != std::string_view::npos || check == "both_ways_speed";
    const bool asked_for_staged = check.find("staged") != std::string_view::npos;
    const bool one_closed = pair.closed || pair.reverse_closed,
               all_closed = pair.closed && pair.reverse_closed;
    if (copy && both && !asked_for_staged && one_closed && !all_closed)
        return {.unknown = "one of the two directions is closed, and its copies are staged"};
    Ceiling ceiling = asked_for_staged || (copy && pair.closed) ? pair.staged.ceiling : pair.direct.ceiling;
    for (auto* limit : {&ceiling.gb_per_s, &ceiling.hard_gb_per_s}) {
        if (*limit && both) **limit *= 2;  // each direction has it for itself
    }
    return ceiling;
}

std::optional<Ceiling> ceiling_of(const Ledger& ledger, const std::vector<PairFigures>& pairs, const Case& of,
                                  const Figure& figure) {
    if (figure.unit != "GB/s" || of.check == "own_speed" || of.gpus.empty()) return std::nullopt;
    if (of.check == "host_link")
        return host_road(*ledger.session().plan, of.gpus.front(), Reading::under_load, observed(ledger))
            .ceiling;
    for (const PairFigures& pair : pairs) {
        if (of.gpus.size() == 2 && pair.source == of.gpus.front() && pair.destination == of.gpus.back())
            return ceiling_of(pair, of.check);
    }
    return std::nullopt;
}

Measured measured(const Ledger& ledger, std::string_view check, const std::vector<int>& gpus,
                  std::string_view name) {
    const auto* entry = ledger.find(Family::figure, check, gpus);
    if (entry == nullptr || !entry->is(Outcome::delivered)) return {};
    for (const Figure& figure : entry->record->figures) {
        if (figure.name == (name.empty() ? check : name)) return {&figure, entry};
    }
    return {};
}

std::vector<PairFigures> figures_of(const Ledger& ledger) {
    std::vector<PairFigures> pairs;
    if (ledger.of(Family::figure).empty()) return pairs;
    const Plan& plan = *ledger.session().plan;
    const Observed seen = observed(ledger);
    for (int source = 0; source < ledger.gpus(); ++source) {
        for (int destination = 0; destination < ledger.gpus(); ++destination) {
            if (source == destination) continue;
            const std::vector<int> place{source, destination}, two = sorted(source, destination);
            PairFigures pair{.source = source, .destination = destination};
            pair.direct = direct_road(plan, source, destination, Reading::under_load, seen);
            pair.staged = staged_road(plan, source, destination, Reading::under_load, seen);
            pair.read = measured(ledger, "read_speed", place);
            pair.write = measured(ledger, "write_speed", place);
            pair.copy = measured(ledger, "copy_speed", place);
            pair.staged_copy = measured(ledger, "staged_speed", place);
            pair.latency = measured(ledger, "read_latency", place);
            pair.both_ways = measured(ledger, "both_ways_speed", two);
            pair.both_ways_staged = measured(ledger, "both_ways_staged_speed", two);
            pair.both_ways_read = measured(ledger, "both_ways_read_speed", two);
            pair.both_ways_write = measured(ledger, "both_ways_write_speed", two);
            pair.ping_pong = measured(ledger, "ping_pong", two);
            pair.predicted_ratio = predicted(pair.staged, pair.direct);
            pair.ratio = ratio_of(pair.staged_copy, pair.copy);
            pair.both_ways_ratio = ratio_of(pair.both_ways_staged, pair.both_ways);
            pair.pipelining = pipelining_of(ledger, pair);
            pair.closed = is_closed_pair(ledger, place);
            pair.reverse_closed = is_closed_pair(ledger, {destination, source});
            pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

std::string discrimination_sentence(const std::vector<PairFigures>& pairs) {
    double least = 1e9, most = 0, least_both = 1e9, most_both = 0;
    bool all_closed = true, one_way = true, both_ways = true;
    for (const PairFigures& pair : pairs) {
        all_closed = all_closed && pair.closed;
        one_way = one_way && (!pair.ratio || tells_apart(*pair.ratio));
        both_ways = both_ways && (!pair.both_ways_ratio || tells_apart(*pair.both_ways_ratio));
        if (pair.ratio) least = std::min(least, *pair.ratio), most = std::max(most, *pair.ratio);
        if (pair.both_ways_ratio)
            least_both = std::min(least_both, *pair.both_ways_ratio),
            most_both = std::max(most_both, *pair.both_ways_ratio);
    }
    if (most == 0 && most_both == 0) return "";
    const auto range = [](double low, double high) {
        return high - low < 0.0005 ? fmt::format("{:.3f}", high) : fmt::format("{:.3f} to {:.3f}", low, high);
    };
    one_way = one_way && most > 0;
    both_ways = both_ways && most_both > 0;
    std::string text =
        one_way && (both_ways || most_both == 0) ? "bandwidth can tell the roads apart here"
        : one_way   ? "bandwidth can tell the roads apart here one way, and cannot both ways at once"
        : both_ways ? "bandwidth cannot tell the roads apart here one way, and can both ways at once"
                    : "bandwidth cannot tell the roads apart here";
    // What is called direct then is the copy with peer access asked for, and it is staged as well.
    if (all_closed && !one_way && !both_ways)
        text += ", where no pair has a direct road to tell from the staged one";
    text += ": a staged copy is";
    if (most > 0) text += fmt::format(" {} of a direct one", range(least, most));
    if (most_both > 0)
        text += fmt::format("{} {} both ways at once", most > 0 ? "," : "", range(least_both, most_both));
    return text;
}

namespace {

std::string pair_name(const PairFigures& pair) { return place_name({pair.source, pair.destination}); }

std::string cell(const Measured& measured) {
    return measured ? fmt::format("{:.2f}", measured.figure->median) : "-";
}

std::string spread(const Measured& measured) {
    return measured ? fmt::format("{:.2f} ({:.2f} to {:.2f})", measured.figure->median, measured.figure->p5,
                                  measured.figure->p95)
                    : "-";
}

std::string ratio_text(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::string ceiling_text(const Ceiling& ceiling) {
    return ceiling.known() ? fmt::format("{:.2f}", *ceiling.gb_per_s) : "?";
}

void pair_lines(const std::vector<PairFigures>& pairs, std::vector<std::string>& lines) {
    lines.push_back(fmt::format("{:<15} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7}", "GB/s, us",
                                "ceiling", "read", "write", "copy", "staged", "ratio", "latency", "1-way"));
    for (const PairFigures& pair : pairs) {
        lines.push_back(fmt::format("{:<15} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7}", pair_name(pair),
                                    pair.closed ? "-" : ceiling_text(pair.direct.ceiling), cell(pair.read),
                                    cell(pair.write), cell(pair.copy), cell(pair.staged_copy),
                                    ratio_text(pair.ratio), cell(pair.latency), cell(pair.ping_pong)));
    }
}

void two_lines(const std::vector<PairFigures>& pairs, std::vector<std::string>& lines) {
    for (const PairFigures& pair : pairs) {
        if (pair.source > pair.destination) continue;
        if (pair.both_ways_read || pair.both_ways_write)
            lines.push_back(fmt::format("both ways gpu{}, gpu{}, by kernels: {} GB/s read, {} written",
                                        pair.source, pair.destination, spread(pair.both_ways_read),
                                        spread(pair.both_ways_write)));
        if (!pair.both_ways && !pair.both_ways_staged) continue;
        lines.push_back(fmt::format("both ways gpu{}, gpu{}: {} GB/s with peer access, {} staged, ratio {}",
                                    pair.source, pair.destination, spread(pair.both_ways),
                                    spread(pair.both_ways_staged), ratio_text(pair.both_ways_ratio)));
    }
}

void card_lines(const Ledger& ledger, std::vector<std::string>& lines) {
    const Observed seen = observed(ledger);
    for (int gpu = 0; gpu < ledger.gpus(); ++gpu) {
        const DrawnRoad host = host_road(*ledger.session().plan, gpu, Reading::under_load, seen);
        const Measured in = measured(ledger, "host_link", {gpu}, "host_to_device"),
                       out = measured(ledger, "host_link", {gpu}, "device_to_host"),
                       own = measured(ledger, "own_speed", {gpu}, "own_read"),
                       near = measured(ledger, "own_latency", {gpu});
        if (!in && !own && !near) continue;
        lines.push_back(
            fmt::format("gpu{}: host to card {} GB/s, card to host {}, ceiling {}; own memory {} GB/s, {} us",
                        gpu, spread(in), spread(out), ceiling_text(host.ceiling), cell(own), cell(near)));
    }
}

void road_lines(const std::vector<PairFigures>& pairs, std::vector<std::string>& lines) {
    std::map<std::string, std::vector<std::string>> unknown, narrowest, staging;
    for (const PairFigures& pair : pairs) {
        if (pair.direct.ceiling.known())
            narrowest[pair.direct.over + ", narrowest at " + pair.direct.ceiling.narrowest].push_back(
                pair_name(pair));
        else
            unknown[pair.direct.ceiling.unknown].push_back(pair_name(pair));
        if (pair.pipelining)
            staging[*pair.pipelining > 1.25 ? "staging overlaps its two hops"
                                            : "staging does one hop after the other"]
                .push_back(fmt::format("{} ({:.2f})", pair_name(pair), *pair.pipelining));
    }
    constexpr std::size_t places_limit = 200;
    for (const auto& [where, places] : narrowest)
        lines.push_back(fmt::format("road over {}: {}", where, some_of(places, places_limit)));
    for (const auto& [why, places] : unknown)
        lines.push_back(fmt::format("ceiling unknown ({}): {}", why, some_of(places, places_limit)));
    std::map<std::string, std::vector<std::string>> predicted_ratios;
    std::vector<std::string> measured_ratios;
    for (const PairFigures& pair : pairs) {
        if (pair.predicted_ratio)
            predicted_ratios[fmt::format("{:.3f}", *pair.predicted_ratio)].push_back(pair_name(pair));
        if (!pair.ratio) continue;
        const Figure &staged = *pair.staged_copy.figure, &copy = *pair.copy.figure;
        measured_ratios.push_back(fmt::format("{} {:.3f} ({:.3f} to {:.3f})", pair_name(pair), *pair.ratio,
                                              staged.p5 / copy.p95, staged.p95 / copy.p5));
    }
    for (const auto& [ratio, places] : predicted_ratios)
        lines.push_back(fmt::format("staged over direct, predicted from the ceilings: {}: {}", ratio,
                                    some_of(places, places_limit)));
    if (!measured_ratios.empty())
        lines.push_back("staged over direct, measured: " + some_of(measured_ratios, 2 * places_limit));
    for (const auto& [how, places] : staging)
        lines.push_back(fmt::format("{}: {}", how, some_of(places, places_limit)));
}

}  // namespace

std::vector<std::string> figure_table(const Ledger& ledger) {
    std::vector<std::string> lines;
    if (const std::vector<PairFigures> pairs = figures_of(ledger); !pairs.empty()) pair_lines(pairs, lines);
    return lines;
}

std::vector<std::string> figure_notes(const Ledger& ledger) {
    std::vector<std::string> lines;
    const std::vector<PairFigures> pairs = figures_of(ledger);
    if (ledger.of(Family::figure).empty()) return lines;
    if (!pairs.empty())
        lines.push_back(
            "medians of samples whose every byte was verified; ratio: staged over copy; 1-way: half a round "
            "trip");
    two_lines(pairs, lines);
    card_lines(ledger, lines);
    road_lines(pairs, lines);
    if (const std::string sentence = discrimination_sentence(pairs); !sentence.empty())
        lines.push_back(sentence);
    return lines;
}

}  // namespace peerproof
