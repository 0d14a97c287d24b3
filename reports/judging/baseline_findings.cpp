// Where the bench is not what a person's file says of it, and where the file is of another bench.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reports/judging/findings.hpp"
#include "reports/reading/plain_text.hpp"

namespace peerproof {
namespace {

std::string accepted_of(const Case& one) {
    std::vector<std::string_view> words;
    for (const Outcome outcome : one.accepted) words.push_back(to_string(outcome));
    return fmt::format("{}", fmt::join(words, " or "));
}

}  // namespace

bool came_part_of_the_way(const Record& record) {
    return record.outcome != Outcome::delivered &&
           std::any_of(record.steps.begin(), record.steps.end(),
                       [](const Step& step) { return step.outcome == Outcome::delivered; });
}

bool is_closed(const Ledger::Entry& entry) {
    return entry.is(Outcome::illegal_address) && !came_part_of_the_way(*entry.record);
}

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
            fmt::format("{}.{} is {}{}, where {} is expected", to_string(entry.planned->family),
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
