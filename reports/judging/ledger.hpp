// The plan and the records of a session laid side by side: for each planned case, the one record that may
// speak for it, and apart from them every record that may not.
//
//   for (const Ledger::Entry& entry : ledger.entries()) if (entry.record) ...
//
// It must not outlive its session.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "reports/reading/session_folder.hpp"

namespace peerproof {

class Ledger {
  public:
    struct Entry {
        const Case* planned = nullptr;
        const Record* record = nullptr;  // finished, of this session and bench, and of just this case
        bool started = false;            // its record says that it began, and no more
        bool spoken_of = false;          // there is a file with its name, usable or not

        bool is(Outcome outcome) const { return record != nullptr && record->outcome == outcome; }
        bool holds() const;  // its outcome is one of those that the plan accepts
        // Something was seen: it has a record, and that says neither that the case was not started nor that
        // it could not be set up. What is not known is no failure of anybody.
        bool is_known() const;
        // The hardware says that it does not do what the check asks, and the check stands beside the core, where
        // that is no answer: it is told, accuses nobody, and is nowhere a pass.
        bool does_not_apply() const;
        // Beside core, controls and the closing: what could not be set up, or an all-reduce that NCCL refused because
        // it takes the capability bit's word. It decides nothing and is told as a finding.
        bool only_a_finding() const;
        // A way that an API call refused where it might have delivered: it accuses nobody, and is no pass.
        bool is_refused_way() const;
        // Its measurements are measurements: the owner of the memory found the bytes. Any other only claims them.
        bool is_measured() const { return is(Outcome::delivered); }
        bool was_refuted() const { return is_known() && !is(Outcome::delivered); }
        // The word of its outcome; "unfinished" or "not run" where it has no record.
        std::string_view fate() const;
    };
    using Entries = std::vector<const Entry*>;

    // A record that may not speak: the case that it names, and why.
    struct Foreign {
        std::string case_id;
        std::string why;
    };

    explicit Ledger(const Session& session);

    const Session& session() const { return session_; }
    int gpus() const { return session_.plan ? static_cast<int>(session_.plan->gpus.size()) : 0; }
    const std::vector<Entry>& entries() const { return entries_; }
    Entries of(Family family) const;
    // The planned case of that check at that place; null if there is none.
    const Entry* find(Family family, std::string_view check, const std::vector<int>& gpus) const;

    const std::vector<std::string>& unplanned() const { return unplanned_; }
    const std::vector<std::string>& duplicates() const { return duplicates_; }
    const std::vector<std::string>& planned_twice() const { return planned_twice_; }
    const std::vector<Foreign>& foreign() const { return foreign_; }

  private:
    void take(const Record& record);

    const Session& session_;
    std::vector<Entry> entries_;
    std::map<std::string, std::size_t, std::less<>> by_id_;
    std::map<std::tuple<Family, std::string, std::vector<int>>, std::size_t> by_place_;
    std::vector<std::string> unplanned_, duplicates_, planned_twice_;
    std::vector<Foreign> foreign_;
};

using Entries = Ledger::Entries;

std::vector<std::string> ids_of(const Entries& entries);
std::vector<std::string> places_of(const Entries& entries);

}  // namespace peerproof
