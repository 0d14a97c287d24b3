#include "reports/judging/measurement_findings.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

using Findings = std::vector<Finding>;

// The largest measurement of a case, whether or not its bytes were there.
const Measurement* claimed(const Ledger::Entry& entry) {
    if (entry.record == nullptr) return nullptr;
    for (const Measurement& measurement : entry.record->measurements) {
        if (measurement.unit == "GB/s") return &measurement;
    }
    return nullptr;
}

void add_alike(const char* word, const std::map<std::string, std::vector<const Ledger::Entry*>>& alike,
               bool contradicts, Findings& findings) {
    for (const auto& [text, entries] : alike) {
        Finding finding{word, text, {}, contradicts};
        std::vector<std::string> places;
        for (const auto* entry : entries) {
            places.push_back(place_of(*entry->planned));
            finding.cases.push_back(entry->planned->id);
        }
        finding.text += ": " + some_of(places, list_limit);
        findings.push_back(std::move(finding));
    }
}

// Faster than the link can be. Measurements of one kind are told together, with the one that is the furthest
// beyond.
void impossible(const Ledger& ledger, Findings& findings) {
    struct Alike {
        std::string text;  // of the worst
        double worst = 0;
        std::vector<std::string> places, cases;
        bool contradicts = false;
    };
    std::map<std::pair<std::string, bool>, Alike> all;  // by check, and whether its bytes were there
    const std::vector<PairMeasurements> pairs = measurements_of(ledger);
    for (const auto* entry : ledger.of(Family::measurement)) {
        const Measurement* measurement = claimed(*entry);
        if (measurement == nullptr || entry->planned->gpus.size() != 2) continue;
        const std::string& check = entry->planned->check;
        const Ceiling ceiling = ceiling_of(ledger, pairs, *entry->planned, *measurement).value_or(Ceiling{});
        if (!ceiling.hard_gb_per_s || measurement->median <= *ceiling.hard_gb_per_s * rounding) continue;
        const double limit = *ceiling.hard_gb_per_s, times = measurement->median / limit;
        Alike& alike = all[{check, entry->is_measured()}];
        alike.places.push_back(place_of(*entry->planned));
        alike.cases.push_back(entry->planned->id);
        // Without peer access nothing is said of peer access.
        alike.contradicts = check.find("staged") == std::string::npos;
        if (times <= alike.worst) continue;
        alike.worst = times;
        alike.text = format("{} {} {:.2f} GB/s, where {} carries {:.2f} GB/s at most: {:.2f}x", check,
                            entry->is_measured() ? "measured" : "claims", measurement->median,
                            ceiling.narrowest, limit, times);
        if (entry->is_measured())
            alike.text += "; every byte was verified, so the link's own status may be what is wrong";
    }
    for (const auto& [key, alike] : all)
        findings.push_back({"impossible",
                            format("{}{}: {}", alike.places.size() > 1 ? "at worst " : "", alike.text,
                                   some_of(alike.places, list_limit)),
                            alike.cases, alike.contradicts});
}

// Hops that say less than what verifiably went over them, or past them, to host memory: their ceilings are
// unknown, and that is said.
void refuted_ceilings(const Ledger& ledger, Findings& findings) {
    std::map<std::string, std::vector<const Ledger::Entry*>> refuted;
    for (int gpu = 0; gpu < ledger.gpus(); ++gpu) {
        const Ceiling ceiling = host_path(*ledger.session().plan, gpu, Reading::most).ceiling;
        for (const char* name : {"host_to_device", "device_to_host"}) {
            const Measured one = measured(ledger, "host_link", {gpu}, name);
            if (!one || !ceiling.known() || one.measurement->median <= *ceiling.hard_gb_per_s * rounding)
                continue;
            refuted
                [format(
                     "{} measured {:.2f} GB/s, every byte verified, where {} says {:.2f} GB/s at most: what "
                     "it says is no ceiling",
                     name, one.measurement->median, ceiling.narrowest, *ceiling.hard_gb_per_s)]
                    .push_back(one.entry);
        }
    }
    add_alike("ceiling refuted", refuted, false, findings);
}

void local(const Ledger& ledger, Findings& findings) {
    for (const PairMeasurements& pair : measurements_of(ledger)) {
        const Measured own = measured(ledger, "own_latency", {pair.destination});
        if (!pair.latency || !own || pair.latency.measurement->median > own.measurement->median) continue;
        findings.push_back(
            {"local",
             format("a load of gpu{}'s memory takes gpu{} {:.2f} us, and one of its own {:.2f} us: no "
                    "link is in between",
                    pair.source, pair.destination, pair.latency.measurement->median, own.measurement->median),
             {pair.latency.entry->planned->id},
             true});
    }
}

// What both ends of its link can do: a GPU is no faster than the port that it is in. Hops come from the GPU
// up, and each two of them are the ends of one link.
Hop with_most_of_both_ends(const Plan& plan, const LinkUnderLoad& link) {
    Hop hop = link.hop;
    for (const GpuLinks& gpu : plan.links) {
        if (gpu.gpu != link.gpu) continue;
        for (std::size_t at = 0; at < gpu.hops.size(); ++at) {
            const std::size_t other = at ^ 1;
            if (gpu.hops[at].device != hop.device || other >= gpu.hops.size()) continue;
            const Hop& end = gpu.hops[other];
            if (hop.max_speed && end.max_speed) hop.max_speed = std::min(*hop.max_speed, *end.max_speed);
            if (hop.max_lanes && end.max_lanes) hop.max_lanes = std::min(*hop.max_lanes, *end.max_lanes);
        }
    }
    return hop;
}

// Links that are not what they could be although bytes move.
void trained_down(const Ledger& ledger, Findings& findings) {
    std::map<std::string, std::pair<std::set<std::string>, std::vector<std::string>>> all;  // GPUs, cases
    for (int gpu = 0; gpu < ledger.gpus(); ++gpu) {
        for (const LinkUnderLoad& link : loads_of(ledger, {gpu})) {
            const Hop hop = with_most_of_both_ends(*ledger.session().plan, link);
            const bool rate = hop.speed && hop.max_speed && *hop.speed < *hop.max_speed,
                       width = hop.lanes && hop.max_lanes && *hop.lanes < *hop.max_lanes;
            if (!rate && !width) continue;
            auto& [gpus, cases] =
                all[format("{} stays at {:g} GT/s x{} under load, where it could be {:g} GT/s x{}",
                           one_line(hop.device, 40), hop.speed.value_or(0), hop.lanes.value_or(0),
                           hop.max_speed.value_or(0), hop.max_lanes.value_or(0))];
            gpus.insert(format("gpu{}", gpu));
            for (const auto* entry : ledger.of(Family::measurement)) {
                const auto& of_case = entry->planned->gpus;
                const bool read = entry->record != nullptr && !entry->record->links.empty() &&
                                  std::find(of_case.begin(), of_case.end(), gpu) != of_case.end();
                if (read && std::find(cases.begin(), cases.end(), entry->planned->id) == cases.end())
                    cases.push_back(entry->planned->id);
            }
        }
    }
    for (const auto& [text, where] : all) {
        const std::vector<std::string> gpus(where.first.begin(), where.first.end());
        findings.push_back({"slow link", text + ": " + some_of(gpus, list_limit), where.second});
    }
}

// Far below what the link can carry.
void slow(const Ledger& ledger, Findings& findings) {
    std::map<std::string, std::vector<const Ledger::Entry*>> below;
    for (const PairMeasurements& pair : measurements_of(ledger)) {
        if (!pair.direct.ceiling.known()) continue;
        // Between GPUs that are closed to each other a copy is staged, whatever was asked for.
        for (const Measured& one : {pair.read, pair.write, pair.closed ? Measured{} : pair.copy}) {
            if (!one || one.measurement->median >= slow_share * *pair.direct.ceiling.gb_per_s) continue;
            below[format("{} reaches {:.2f} GB/s, {:.0f} % of the {:.2f} GB/s that {} can carry",
                         one.entry->planned->check, one.measurement->median,
                         100 * one.measurement->median / *pair.direct.ceiling.gb_per_s,
                         *pair.direct.ceiling.gb_per_s, pair.direct.ceiling.narrowest)]
                .push_back(one.entry);
        }
    }
    add_alike("slow link", below, false, findings);
}

// A measurement that gates and has no bytes, or could not be taken, where the core says that the path is open.
void without_bytes(const Ledger& ledger, Findings& findings) {
    std::map<std::string, std::vector<const Ledger::Entry*>> bad, undecided;
    std::vector<const Ledger::Entry*> silent, begun;
    // What is said of the bench does not depend on what was expected of it.
    const auto core = ledger.of(Family::core);
    const bool is_open = std::all_of(
        core.begin(), core.end(), [](const Ledger::Entry* entry) { return entry->is(Outcome::delivered); });
    for (const auto* entry : ledger.of(Family::measurement)) {
        if (entry->record == nullptr) {
            (entry->started ? begun : silent).push_back(entry);
        } else if (!entry->is(Outcome::delivered) && !entry->is(Outcome::not_started) &&
                   !entry->does_not_apply() && (is_open || !entry->holds())) {
            const bool decides = entry->planned->gates && entry->is_known();
            (decides ? bad : undecided)[format("{} is {} ({})", entry->planned->check,
                                               to_string(entry->record->outcome),
                                               one_line(entry->record->summary, text_limit))]
                .push_back(entry);
        }
    }
    add_alike("measurement", bad, true, findings);
    add_alike("measurement", undecided, false, findings);
    if (!silent.empty())
        add_alike(not_run, {{format("{} measurements", silent.size()), silent}}, false, findings);
    if (!begun.empty())
        add_alike(unfinished, {{format("{} measurements", begun.size()), begun}}, false, findings);
}

}  // namespace

void measurement_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    if (ledger.of(Family::measurement).empty()) return;
    impossible(ledger, findings);
    refuted_ceilings(ledger, findings);
    local(ledger, findings);
    trained_down(ledger, findings);
    slow(ledger, findings);
    without_bytes(ledger, findings);
}

}  // namespace peerproof
