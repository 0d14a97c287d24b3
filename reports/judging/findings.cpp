#include "reports/judging/findings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reports/judging/about.hpp"
#include "reports/judging/again.hpp"
#include "reports/judging/all_reduces.hpp"
#include "reports/judging/baseline_findings.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/hints.hpp"
#include "reports/judging/measurement_findings.hpp"
#include "reports/judging/not_known.hpp"
#include "reports/judging/soak.hpp"
#include "reports/judging/ways.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

std::string for_people(std::string_view check) { return one_line(spaced(check), 80); }

// Evidence that gates accuses an open bench as measurements do; what is information is a finding and no more. What
// is said of the bench does not depend on what was expected of it, by a word or by a file: with an open core,
// what a locked bench may do is no excuse, and what delivers accuses nobody.
void evidence(const Ledger& ledger, std::vector<Finding>& findings) {
    std::map<std::string, std::size_t> planned;
    std::map<std::pair<std::string, Outcome>, Entries> against;
    std::map<std::pair<std::string, bool>, Entries> silent;
    std::map<std::pair<std::string, std::string>, Entries> not_applicable;  // and why
    const auto core = ledger.of(Family::core);
    const bool is_open =
        std::all_of(core.begin(), core.end(), [](const auto* one) { return one->is(Outcome::delivered); });
    const bool is_excused = ledger.session().plan && ledger.session().plan->expectation != Expectation::open;
    for (const auto* entry : ledger.of(Family::evidence)) {
        const std::string& check = entry->planned->check;
        ++planned[check];
        const bool holds = is_open && is_excused ? entry->is(Outcome::delivered) : entry->holds();
        if (entry->record == nullptr)
            silent[{check, entry->started}].push_back(entry);
        else if (entry->does_not_apply())
            not_applicable[{check, one_line(entry->record->summary, 200)}].push_back(entry);
        else if (!holds && !entry->is(Outcome::not_started))
            against[{check, entry->record->outcome}].push_back(entry);
    }
    for (const auto& [what, entries] : against) {
        const auto* first = entries.front();
        findings.push_back(
            about(for_people(what.first),
                  format("{} ({})", to_string(what.second), one_line(first->record->summary, 200)), entries,
                  planned[what.first]));
        findings.back().contradicts_open = first->planned->gates && first->is_known();
    }
    for (const auto& [what, entries] : not_applicable) {
        findings.push_back(about(not_run, format("{}: {}", for_people(what.first), what.second), entries,
                                 planned[what.first]));
    }
    for (const auto& [what, entries] : silent) {
        findings.push_back(
            about(what.second ? unfinished : not_run, for_people(what.first), entries, planned[what.first]));
    }
}

// Once for all that a hung or silent GPU kept from running, whatever it would have said.
void not_started(const Ledger& ledger, std::vector<Finding>& findings) {
    std::map<std::string, Entries> alike;
    for (const Ledger::Entry& entry : ledger.entries()) {
        const Family family = entry.planned->family;
        if (family != Family::control && family != Family::core && entry.is(Outcome::not_started))
            alike[why_not(entry)].push_back(&entry);
    }
    for (const auto& [why, entries] : alike) {
        Finding finding{"not started", format("{} cases beside the core: {}", entries.size(), why), {}};
        for (const auto* entry : entries) finding.cases.push_back(entry->planned->id);
        findings.push_back(std::move(finding));
    }
}

// A check may say in a hint that a part of it could not be run.
void parts_not_run(const Ledger& ledger, std::vector<Finding>& findings) {
    constexpr std::string_view prefix = "not run: ";
    std::map<std::pair<std::string, std::string>, Entries> parts;
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (entry.record == nullptr) continue;
        for (const Hint& hint : entry.record->hints) {
            if (hint.value.starts_with(prefix)) {
                parts[{hint.name, hint.value.substr(prefix.size())}].push_back(&entry);
            }
        }
    }
    for (const auto& [part, entries] : parts) {
        std::set<std::string> places;
        Finding finding{not_run, format("{}: {}", for_people(part.first), one_line(part.second, 200)), {}};
        for (const auto* entry : entries) {
            places.insert(place_of(*entry->planned));
            finding.cases.push_back(entry->planned->id);
        }
        finding.text += ": " + some_of({places.begin(), places.end()}, list_limit);
        findings.push_back(std::move(finding));
    }
}

// What a bench that is called open has not been shown to do.
void not_planned(const Ledger& ledger, std::vector<Finding>& findings) {
    if (!ledger.session().plan) return;
    constexpr std::tuple<Family, const char*, const char*> further[] = {
        {Family::evidence, "staged_copy", "no copy without peer access: what a copy that passes is worth"},
        {Family::way, "ways", "whether software reaches peers by IPC, mapped memory, pools, graphs, atomics"},
        {Family::measurement, "measurements", "no speed against the ceiling of its link"},
        {Family::collective, "collective", "whether all GPUs together complete one all-reduce"},
        {Family::crowd, "crowd", "whether what each pair does alone all do at once"},
        {Family::soak, "soak", "whether it stays so for long"},
    };
    const auto& reasons = ledger.session().plan->not_run;
    for (const auto& [family, name, what] : further) {
        const auto reason = reasons.find(name);
        if (!ledger.of(family).empty()) {  // of the ways some may be left out
            if (reason != reasons.end())
                findings.push_back({not_run, format("{}: {}", name, one_line(reason->second, 300)), {}});
            continue;
        }
        // Sessions of before there was a crowd say nothing of it, and a soak is only where one was asked for.
        if ((family == Family::crowd || family == Family::soak) && reason == reasons.end()) continue;
        const std::string why = reason == reasons.end() ? "" : format(" ({})", one_line(reason->second, 300));
        findings.push_back({not_run, format("{}: {}{}", for_people(name), what, why), {}});
    }
}

}  // namespace

std::vector<Finding> findings_in(const Ledger& ledger) {
    std::vector<Finding> findings;
    baseline_findings(ledger, findings);
    crowd_findings(ledger, findings);
    soak_findings(ledger, findings);
    again_findings(ledger, findings);
    for (Finding& finding : hints_against_truth(ledger)) findings.push_back(std::move(finding));
    evidence(ledger, findings);
    measurement_findings(ledger, findings);
    way_findings(ledger, findings);
    collective_findings(ledger, findings);
    not_started(ledger, findings);
    parts_not_run(ledger, findings);
    not_planned(ledger, findings);
    return findings;
}

void add_copies_too(const Ledger& ledger, std::vector<Finding>& findings) {
    std::map<std::string, Entries> answers;
    std::size_t copies = 0;
    for (const auto* entry : ledger.of(Family::core)) {
        if (entry->planned->check != "copy") continue;
        ++copies;
        if (entry->was_refuted()) answers[std::string{to_string(entry->record->outcome)}].push_back(entry);
    }
    for (const auto& [answer, entries] : answers) {
        findings.push_back(
            about("copies too", "no copy gets through either, not even staged: " + answer, entries, copies));
    }
}

}  // namespace peerproof
