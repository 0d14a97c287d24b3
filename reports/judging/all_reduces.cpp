#include "reports/judging/all_reduces.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::string_view fail_closed = "all_reduce", control = "all_reduce_without_p2p",
                           by_default = "all_reduce_by_default";

Entries all_reduces_of(const Ledger& ledger, std::string_view check) {
    Entries some = ledger.of(Family::collective);
    std::erase_if(some, [&](const auto* entry) { return entry->planned->check != check; });
    return some;
}

std::string list_of_places(const Entries& entries) { return some_of(places_of(entries), list_limit); }

// "P2P/direct pointer" of a whole all-reduce, or "P2P/direct pointer and SHM/direct/direct".
std::string path_of(const Record& record) {
    std::set<std::string> paths;
    for (const Edge& edge : record.edges) paths.insert(one_line(edge.path, 80));
    return paths.empty() ? "no path was named" : join(paths, " and ");
}

std::map<std::pair<Outcome, std::string>, Entries> alike(const Entries& entries) {
    std::map<std::pair<Outcome, std::string>, Entries> groups;
    for (const auto* entry : entries) {
        if (entry->record != nullptr)
            groups[{entry->record->outcome, one_line(entry->record->summary, text_limit)}].push_back(entry);
    }
    return groups;
}

void settings(const Ledger& ledger, std::vector<Finding>& findings) {
    std::map<std::string, std::vector<std::string>> found;
    for (const auto* entry : ledger.of(Family::collective)) {
        if (entry->record == nullptr) continue;
        for (const Hint& hint : entry->record->hints) {
            if (hint.name == "nccl_setting")
                found[one_line(hint.value + ", from " + hint.source, text_limit)].push_back(
                    entry->planned->id);
        }
    }
    for (const auto& [setting, cases] : found) findings.push_back({"NCCL setting", setting, cases});
}

void without_records(const Entries& entries, std::vector<Finding>& findings) {
    for (const bool started : {false, true}) {
        Entries silent = entries;
        std::erase_if(
            silent, [&](const auto* entry) { return entry->record != nullptr || entry->started != started; });
        if (silent.empty()) continue;
        findings.push_back({started ? unfinished : not_run,
                            format("collective: {} of {} all-reduces: {}", silent.size(), entries.size(),
                                   list_of_places(silent)),
                            ids_of(silent)});
    }
}

}  // namespace

Entries broken_controls(const Ledger& ledger) {
    Entries broken = all_reduces_of(ledger, control);
    std::erase_if(
        broken, [](const auto* entry) { return entry->record == nullptr || entry->is(Outcome::delivered); });
    return broken;
}

std::string collective_line(const Ledger& ledger) {
    if (!ledger.session().plan) return "";
    if (ledger.of(Family::collective).empty()) {
        const auto& reasons = ledger.session().plan->not_run;
        const auto reason = reasons.find("collective");
        return "not run" + (reason == reasons.end() ? "" : ": " + one_line(reason->second, 160));
    }
    if (const Entries broken = broken_controls(ledger); !broken.empty())
        return format("inconclusive: without P2P the all-reduce ended {}",
                      to_string(broken.front()->record->outcome));
    const Entries all_reduces = all_reduces_of(ledger, fail_closed);
    std::map<std::string_view, std::size_t> outcomes;
    for (const auto* entry : all_reduces) ++outcomes[entry->fate()];
    if (outcomes.size() == 1 && outcomes.contains("delivered"))
        return format("{} of {} all-reduces held over P2P and no other path", all_reduces.size(),
                      all_reduces.size());
    std::vector<std::string> parts;
    for (const auto& [outcome, count] : outcomes) parts.push_back(format("{} {}", count, outcome));
    return format("of {} all-reduces over P2P only: {}", all_reduces.size(), join(parts, ", "));
}

std::vector<std::string> collective_paths(const Ledger& ledger) {
    constexpr std::pair<std::string_view, const char*> checks[] = {
        {control, "without P2P (the control)"}, {fail_closed, "P2P only"}, {by_default, "by default"}};
    std::vector<std::string> lines;
    for (const auto& [check, title] : checks) {
        std::map<std::string, Entries> groups;
        for (const auto* entry : all_reduces_of(ledger, check)) {
            const std::string how = entry->record == nullptr ? std::string{entry->fate()}
                                    : entry->is(Outcome::delivered)
                                        ? "held by " + path_of(*entry->record)
                                        : format("{}: {}", to_string(entry->record->outcome),
                                                 one_line(entry->record->summary, text_limit));
            groups[how].push_back(entry);
        }
        for (const auto& [how, entries] : groups)
            lines.push_back(format("{}: {}: {}", title, how, list_of_places(entries)));
    }
    return lines;
}

void collective_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    const Entries broken = broken_controls(ledger);
    for (const auto& [what, entries] : alike(broken)) {
        findings.push_back({"collective",
                            format("inconclusive: the all-reduce without P2P ended {} ({}), so NCCL's "
                                   "all-reduces say nothing of "
                                   "P2P here",
                                   to_string(what.first), what.second),
                            ids_of(entries)});
    }
    // What is said of the bench does not depend on what was expected of it.
    const Entries core = ledger.of(Family::core), all_reduces = all_reduces_of(ledger, fail_closed);
    const bool is_open = std::all_of(core.begin(), core.end(),
                                     [](const auto* entry) { return entry->is(Outcome::delivered); });
    Entries against = all_reduces;
    std::erase_if(against, [&](const auto* entry) {
        return entry->is(Outcome::not_started) || (is_open ? entry->is(Outcome::delivered) : entry->holds());
    });
    // NCCL takes the driver's word for it and tries nothing: that is said of the bit, which the core has
    // refuted.
    Entries by_the_bit = against;
    std::erase_if(by_the_bit, [](const auto* entry) {
        return entry->record == nullptr || !was_refused_by_the_bit(*entry->record);
    });
    std::erase_if(against, [&](const auto* entry) {
        return std::find(by_the_bit.begin(), by_the_bit.end(), entry) != by_the_bit.end();
    });
    for (const auto& [what, entries] : alike(by_the_bit)) {
        findings.push_back(
            {"collective",
             format(
                 "the all-reduce over P2P only ended refused: the capability bit says no, and NCCL takes its "
                 "word for it ({}): {}",
                 what.second, list_of_places(entries)),
             ids_of(entries)});
    }
    for (const auto& [what, entries] : alike(against)) {
        const bool says_something = broken.empty() && what.first != Outcome::inconclusive;
        findings.push_back({"collective",
                            format("the all-reduce over P2P only ended {} ({}): {}", to_string(what.first),
                                   what.second, list_of_places(entries)),
                            ids_of(entries), says_something});
    }
    for (const auto& [what, entries] : alike(all_reduces_of(ledger, by_default))) {
        if (what.first == Outcome::delivered || what.first == Outcome::not_started) continue;
        findings.push_back(
            {"collective by default",
             format("{} ({}): {}", to_string(what.first), what.second, list_of_places(entries)),
             ids_of(entries)});
    }
    without_records(ledger.of(Family::collective), findings);
    settings(ledger, findings);
}

}  // namespace peerproof
