#include "reports/writing/check_rows.hpp"

#include <algorithm>
#include <map>

#include "reports/judging/hints.hpp"
#include "reports/reading/plain_text.hpp"

namespace peerproof {
namespace {

using Answers = std::map<std::string, int>;

Row row(std::string check, std::string title, int held, int of, const Answers& answers) {
    Row made{std::move(check), std::move(title), held, of, {answers.begin(), answers.end()}};
    std::stable_sort(made.answers.begin(), made.answers.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return made;
}

std::string answer_of(const Ledger::Entry* entry) {
    if (entry == nullptr) return "not planned";
    if (entry->record == nullptr) return entry->started ? "not finished" : "no record";
    std::string answer{to_string(entry->record->outcome)};
    if (const std::string error = error_of(*entry->record); !error.empty() && !entry->is(Outcome::delivered))
        answer += " (" + error + ")";
    return answer;
}

// A check that the plan has cases of.
struct Asked {
    const Case* first;
    std::vector<const Ledger::Entry*> entries;
};

// Core, evidence and ways, by their numbers. Of plans without numbers: in the order in which they were planned.
std::vector<Asked> checks_of(const Ledger& ledger) {
    std::vector<Asked> checks;
    std::map<std::pair<Family, std::string>, std::size_t> places;
    for (const Family family : {Family::core, Family::evidence, Family::way}) {
        for (const auto* entry : ledger.of(family)) {
            const auto [at, is_first] =
                places.emplace(std::pair{family, entry->planned->check}, checks.size());
            if (is_first) checks.push_back({entry->planned, {}});
            checks[at->second].entries.push_back(entry);
        }
    }
    std::stable_sort(checks.begin(), checks.end(),
                     [](const Asked& a, const Asked& b) { return a.first->number < b.first->number; });
    return checks;
}

// Every directed pair is asked after: one that the plan leaves out is told.
void add_missing_pairs(const Ledger& ledger, Asked& check) {
    for (int source = 0; source < ledger.gpus(); ++source) {
        for (int destination = 0; destination < ledger.gpus(); ++destination) {
            if (source != destination &&
                ledger.find(check.first->family, check.first->check, {source, destination}) == nullptr)
                check.entries.push_back(nullptr);
        }
    }
}

Row check_row(const Ledger& ledger, Asked check) {
    const Case& first = *check.first;
    std::string title = first.title;
    if (first.gpus.size() == 2 && place_of(first) == place_name(first.gpus))
        add_missing_pairs(ledger, check);
    else
        title += first.gpus.size() == 1 ? ", each GPU" : ", each place";
    Answers answers;
    int held = 0;
    for (const auto* entry : check.entries) {
        ++answers[answer_of(entry)];
        if (entry && entry->is(Outcome::delivered)) ++held;
    }
    return row(first.check, title, held, static_cast<int>(check.entries.size()), answers);
}

}  // namespace

std::string error_of(const Record& record) {
    for (const Step& step : record.steps) {
        if (!step.error.empty()) return one_line(step.error, 80);
    }
    return "";
}

std::vector<Row> rows_of(const Ledger& ledger) {
    Answers capability, enabling;
    int yes = 0, enabled = 0, of = 0;
    for (const Window& window : windows_of(ledger)) {
        ++of;
        ++capability[window.capability.empty() ? "not asked" : window.capability];
        ++enabling[window.enabling.empty() ? "not tried" : window.enabling];
        if (window.capability == "yes") ++yes;
        if (window.enabled()) ++enabled;
    }
    std::vector<Row> rows{row("can_access_peer", "Driver-reported capability bit", yes, of, capability),
                          row("enable_peer_access", "Enabling peer access", enabled, of, enabling)};
    for (const Asked& check : checks_of(ledger)) rows.push_back(check_row(ledger, check));
    return rows;
}

}  // namespace peerproof
