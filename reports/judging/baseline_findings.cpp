#include "reports/judging/baseline_findings.hpp"

#include <algorithm>
#include <map>

#include "reports/judging/access.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

std::string accepted_of(const Case& one) {
    std::vector<std::string_view> words;
    for (const Outcome outcome : one.accepted) words.push_back(to_string(outcome));
    return join(words, " or ");
}

}  // namespace

void baseline_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    const auto& plan = ledger.session().plan;
    if (!plan || !plan->baseline) return;
    std::map<std::string, Finding> alike;
    std::map<std::string, std::vector<std::string>> places;
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (entry.record == nullptr || !entry.planned->gates) continue;
        const bool half = entry.planned->family == Family::core && came_part_of_the_way(*entry.record);
        if (entry.holds() && !half) continue;
        const std::string text =
            format("{}.{} is {}{}, where {} is expected", to_string(entry.planned->family),
                   entry.planned->check, to_string(entry.record->outcome),
                   half ? " after a part of the way" : "", accepted_of(*entry.planned));
        Finding& finding = alike.emplace(text, Finding{"against the baseline", text, {}}).first->second;
        finding.cases.push_back(entry.planned->id);
        places[text].push_back(place_of(*entry.planned));
    }
    for (auto& [text, finding] : alike) {
        finding.text += ": " + some_of(places[text], list_limit);
        findings.push_back(std::move(finding));
    }
    if (!plan->baseline->differs.empty()) {
        std::vector<std::string> lines;
        for (const std::string& line : plan->baseline->differs) lines.push_back(one_line(line, 300));
        findings.push_back({"another fingerprint",
                            "the baseline is not of this bench as it is now: " + some_of(lines, 800),
                            {}});
    }
}

}  // namespace peerproof
