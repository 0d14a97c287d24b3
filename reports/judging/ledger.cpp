#include "reports/judging/ledger.hpp"

#include <algorithm>

#include "session/format.hpp"

namespace peerproof {
namespace {

std::string bench_of(const std::optional<std::string>& simulated) {
    return simulated ? "the simulated bench " + *simulated : "a real bench";
}

// Why a record of that name may not speak for the case; empty if it may.
std::string why_foreign(const Session& session, const Case& planned, const Record& record) {
    if (record.session != session.id) return "of session " + record.session;
    if (record.simulated != session.plan->simulated) {
        return format("of {}, while the plan is of {}", bench_of(record.simulated),
                      bench_of(session.plan->simulated));
    }
    if (record.family != planned.family) return format("of family {}", to_string(record.family));
    if (record.test != planned.test) return "of test " + record.test;
    if (record.check != planned.check) return "of check " + record.check;
    if (record.gpus != planned.gpus) return "of " + place_name(record.gpus);
    return "";
}

}  // namespace

bool Ledger::Entry::holds() const {
    return record != nullptr && std::find(planned->accepted.begin(), planned->accepted.end(),
                                          record->outcome) != planned->accepted.end();
}

bool Ledger::Entry::is_known() const {
    return record != nullptr && !is(Outcome::not_started) && !is(Outcome::inconclusive) &&
           !is(Outcome::not_applicable);
}

bool Ledger::Entry::does_not_apply() const {
    const Family family = planned->family;
    return is(Outcome::not_applicable) && family != Family::core && family != Family::control &&
           family != Family::closing;
}

bool Ledger::Entry::is_refused_way() const {
    const auto& accepted = planned->accepted;
    return planned->family == Family::way && is(Outcome::refused) && holds() &&
           std::find(accepted.begin(), accepted.end(), Outcome::delivered) != accepted.end();
}

std::string_view Ledger::Entry::fate() const {
    return record != nullptr ? to_string(record->outcome) : started ? "unfinished" : "not run";
}

bool Ledger::Entry::only_a_finding() const {
    const Family family = planned->family;
    if (record == nullptr || family == Family::core || family == Family::control || family == Family::closing)
        return false;
    return is(Outcome::inconclusive) || does_not_apply() || was_refused_by_the_bit(*record);
}

Ledger::Ledger(const Session& session) : session_(session) {
    if (session.plan) {
        entries_.reserve(session.plan->cases.size());
        for (const Case& one : session.plan->cases) {
            if (!by_id_.emplace(one.id, entries_.size()).second) {
                planned_twice_.push_back(one.id);
                continue;
            }
            by_place_.emplace(std::tuple{one.family, one.check, one.gpus}, entries_.size());
            entries_.push_back({.planned = &one});
        }
    }
    for (const Stray& stray : session.strays) {
        const std::string id = stray.file.substr(0, stray.file.rfind(".json"));
        if (const auto at = by_id_.find(id); at != by_id_.end()) entries_[at->second].spoken_of = true;
    }
    for (const Record& record : session.records) take(record);
}

void Ledger::take(const Record& record) {
    const auto at = by_id_.find(record.case_id);
    if (at == by_id_.end()) {
        unplanned_.push_back(record.case_id);
        return;
    }
    Entry& entry = entries_[at->second];
    if (const std::string why = why_foreign(session_, *entry.planned, record); !why.empty()) {
        foreign_.push_back({record.case_id, why});
    } else if (entry.record != nullptr || entry.started) {
        duplicates_.push_back(record.case_id);
    } else if (record.finished) {
        entry.record = &record;
    } else {
        entry.started = true;
    }
    entry.spoken_of = true;
}

Entries Ledger::of(Family family) const {
    Entries some;
    for (const Entry& entry : entries_) {
        if (entry.planned->family == family) some.push_back(&entry);
    }
    return some;
}

const Ledger::Entry* Ledger::find(Family family, std::string_view check, const std::vector<int>& gpus) const {
    const auto at = by_place_.find(std::tuple{family, std::string{check}, gpus});
    return at == by_place_.end() ? nullptr : &entries_[at->second];
}

std::vector<std::string> ids_of(const Entries& entries) {
    std::vector<std::string> ids;
    for (const auto* entry : entries) ids.push_back(entry->planned->id);
    return ids;
}

std::vector<std::string> places_of(const Entries& entries) {
    std::vector<std::string> places;
    for (const auto* entry : entries) places.push_back(place_of(*entry->planned));
    return places;
}

}  // namespace peerproof
