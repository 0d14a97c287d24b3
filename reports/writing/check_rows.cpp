#include "reports/writing/check_rows.hpp"

#include <fmt/format.h>

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

Row check_row(const Ledger& ledger, Family family, const char* check, const char* title) {
    Answers answers;
    int held = 0, of = 0;
    for (int source = 0; source < ledger.gpus(); ++source) {
        for (int destination = 0; destination < ledger.gpus(); ++destination) {
            if (source == destination) continue;
            const auto* entry = ledger.find(family, check, {source, destination});
            ++of;
            ++answers[answer_of(entry)];
            if (entry && entry->is(Outcome::delivered)) ++held;
        }
    }
    return row(check, title, held, of, answers);
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
    return {row("can_access_peer", "Driver-reported capability bit", yes, of, capability),
            row("enable_peer_access", "Enabling peer access", enabled, of, enabling),
            check_row(ledger, Family::core, "copy", "Cross-card copy"),
            check_row(ledger, Family::core, "read", "Kernel on B reads A's memory"),
            check_row(ledger, Family::core, "write", "Kernel on A writes B's memory"),
            check_row(ledger, Family::evidence, "staged_copy", "Staged copy, P2P never enabled")};
}

}  // namespace peerproof
