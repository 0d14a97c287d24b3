#include "reports/judging/not_known.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/judging/all_reduces.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t id_list_limit = 200;

// Cases that are told in one sentence: of one outcome, for one reason.
using Alike = std::map<std::pair<Outcome, std::string>, Entries>;

void put(Alike& alike, const Ledger::Entry* entry) {
    alike[{entry->record->outcome, why_not(*entry)}].push_back(entry);
}

const char* what_became_of(Outcome outcome) {
    return outcome == Outcome::not_started ? "not started" : "could not be set up";
}

void say(const Ledger& ledger, const std::string& before, const Alike& alike, std::vector<Reason>& reasons) {
    for (const auto& [what, entries] : alike) {
        Reason reason{std::string{to_string(what.first)}, "", {}};
        for (const auto* entry : entries) reason.cases.push_back(entry->planned->id);
        reason.text = format("{}{} ({}): {}; with {}", before, what_became_of(what.first), what.second,
                             some_of(reason.cases, id_list_limit), gpus_of(*ledger.session().plan, entries));
        reasons.push_back(std::move(reason));
    }
}

// That an all-reduce says nothing because NCCL does not add up without P2P either is a finding of its own.
bool says_nothing_by_its_control(const Ledger& ledger, const Ledger::Entry& entry) {
    return entry.planned->family == Family::collective && !broken_controls(ledger).empty();
}

// What only could not be measured (too slow for its patience, a path that NCCL does not name) is a finding.
bool was_kept_from_running(const Ledger& ledger, const Ledger::Entry& entry) {
    const Record& record = *entry.record;
    if (says_nothing_by_its_control(ledger, entry)) return false;
    const bool came_to_no_end = !record.exit_code && !record.signal;
    const bool not_set_up = std::any_of(record.steps.begin(), record.steps.end(),
                                        [](const Step& step) { return step.diagnosis == "not set up"; });
    const bool saw_nothing = record.steps.empty() && entry.planned->family != Family::collective;
    return came_to_no_end || not_set_up || saw_nothing;
}

void gpus_at_the_end(const Ledger& ledger, std::vector<Reason>& reasons) {
    for (const auto* entry : ledger.of(Family::closing)) {
        if (entry->record == nullptr || entry->is(Outcome::delivered)) continue;
        reasons.push_back(
            {"gpu",
             format("{} did not answer at the end of the session: {} is {} ({})",
                    gpus_of(*ledger.session().plan, {entry}), entry->planned->id,
                    to_string(entry->record->outcome), one_line(entry->record->summary, text_limit)),
             {entry->planned->id}});
    }
}

}  // namespace

std::string why_not(const Ledger::Entry& entry) {
    constexpr std::string_view said_by_supervise = "not started: ";
    std::string why = one_line(entry.record->summary, text_limit);
    if (entry.is(Outcome::not_started) && why.starts_with(said_by_supervise))
        why.erase(0, said_by_supervise.size());
    return why;
}

std::string gpus_of(const Plan& plan, const Entries& entries) {
    std::set<int> all, common;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& gpus = entries[i]->planned->gpus;
        const std::set<int> own(gpus.begin(), gpus.end());
        all.insert(own.begin(), own.end());
        if (i == 0) common = own;
        std::erase_if(common, [&](int gpu) { return !own.contains(gpu); });
    }
    std::vector<std::string> names;
    for (const int index : common.empty() ? all : common) {
        const auto gpu = std::find_if(plan.gpus.begin(), plan.gpus.end(),
                                      [&](const Gpu& one) { return one.index == index; });
        names.push_back(gpu == plan.gpus.end() ? format("gpu{}", index)
                                               : format("gpu{} ({}, {})", index, one_line(gpu->bus_id, 40),
                                                        one_line(gpu->uuid, 60)));
    }
    return some_of(names, list_limit);
}

std::vector<Reason> what_is_not_known(const Ledger& ledger) {
    std::vector<Reason> reasons;
    if (!ledger.session().plan) return reasons;
    Alike core, beside;
    std::vector<Reason> soak;
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (entry.record == nullptr || entry.is_known()) continue;
        if (entry.planned->family == Family::core)
            put(core, &entry);
        else if (entry.planned->family == Family::soak && entry.is(Outcome::inconclusive))
            soak.push_back({"soak", "the soak came to no end: " + why_not(entry), {entry.planned->id}});
        else if (is_beside_the_core(entry.planned->family) && entry.planned->gates &&
                 entry.is(Outcome::inconclusive) && was_kept_from_running(ledger, entry))
            put(beside, &entry);
    }
    say(ledger, "", core, reasons);
    gpus_at_the_end(ledger, reasons);
    reasons.insert(reasons.end(), soak.begin(), soak.end());
    say(ledger, "beside the core, on GPUs that had answered: ", beside, reasons);
    return reasons;
}

std::vector<Reason> not_started_beside_the_core(const Ledger& ledger) {
    std::vector<Reason> reasons;
    Alike beside;
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (is_beside_the_core(entry.planned->family) && entry.planned->gates &&
            entry.is(Outcome::not_started))
            put(beside, &entry);
    }
    say(ledger, "beside the core: ", beside, reasons);
    return reasons;
}

}  // namespace peerproof
