#include "reports/judging/judge.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "reports/judging/access.hpp"
#include "reports/judging/common_factor.hpp"
#include "reports/judging/findings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/not_known.hpp"
#include "reports/judging/rules.hpp"
#include "reports/judging/ways.hpp"
#include "reports/judging/wholeness.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

// A trace of a simulated bench anywhere makes the session one, so that it is never taken for a real one.
std::optional<std::string> simulated_in(const Session& session) {
    if (session.plan && session.plan->simulated) return session.plan->simulated;
    for (const Record& record : session.records) {
        if (record.simulated) return record.simulated;
    }
    return std::nullopt;
}

Signature signature_of(const Ledger& ledger) {
    Signature signature;
    std::set<std::vector<int>> pairs;
    for (const auto* entry : ledger.of(Family::core)) {
        pairs.insert(entry->planned->gpus);
        ++signature.checks;
        if (entry->record != nullptr) ++signature.records;
        if (!entry->is_known()) ++signature.not_known;
        if (entry->was_refuted()) ++signature.failures;
    }
    signature.pairs = static_cast<int>(pairs.size());
    return signature;
}

std::vector<std::string> failing_in(const Ledger& ledger) {
    std::vector<std::string> ids;
    for (const auto* entry : ledger.of(Family::core)) {
        if (entry->was_refuted()) ids.push_back(entry->planned->id);
    }
    return ids;
}

std::string common_factor_in(const Ledger& ledger) {
    std::vector<Failure> failures;
    for (const auto* entry : ledger.of(Family::core)) {
        if (!entry->was_refuted()) continue;
        const Case& planned = *entry->planned;
        failures.push_back({planned.gpus.at(0), planned.gpus.at(1), planned.check});
    }
    return common_factor(ledger.gpus(), failures);
}

// Of each case what the file says of it. Only what is honest can be expected, so that a file makes no liar
// good: a bench that is silent, hung, suspect, or has a window that ends somewhere never is what was
// expected.
bool is_as_the_baseline_says(VerdictWord word, const Ledger& ledger, const std::vector<Finding>& findings) {
    if (word != VerdictWord::open && word != VerdictWord::locked && word != VerdictWord::partial)
        return false;
    if (std::any_of(findings.begin(), findings.end(), [](const auto& one) { return one.contradicts_open; }))
        return false;
    const auto& entries = ledger.entries();
    return std::all_of(entries.begin(), entries.end(), [](const Ledger::Entry& entry) {
        // Of a way the file may say that it must deliver: then it must apply.
        const bool must_apply = entry.planned->family == Family::way && entry.does_not_apply();
        if (!entry.planned->gates || (entry.only_a_finding() && !must_apply)) return true;
        return entry.holds() &&
               !(entry.planned->family == Family::core && came_part_of_the_way(*entry.record));
    });
}

bool is_as_expected(const Verdict& verdict, const Ledger& ledger) {
    switch (verdict.expected.value()) {
        case Expectation::open:
            return verdict.word == VerdictWord::open;
        case Expectation::locked:
            return verdict.word == VerdictWord::locked;
        case Expectation::baseline:
            return is_as_the_baseline_says(verdict.word, ledger, verdict.findings);
    }
    return false;
}

void append(std::vector<Reason>& reasons, std::vector<Reason> more) {
    for (Reason& one : more) reasons.push_back(std::move(one));
}

// The order of README.md. The reasons of whatever was decided come first; what is not known besides follows.
void decide(const Ledger& ledger, Verdict& verdict) {
    verdict.reasons = reasons_for_no_verdict(ledger);
    std::vector<Reason> not_known = what_is_not_known(ledger);
    if (!verdict.reasons.empty()) return append(verdict.reasons, std::move(not_known));
    Reason reason;
    const auto worst = what_failed_worst(ledger, *verdict.signature, reason);
    if (!worst && !not_known.empty()) return append(verdict.reasons, std::move(not_known));
    const VerdictWord word = worst ? *worst : what_it_is(ledger, verdict.findings, reason);
    std::vector<Reason> waiting = not_started_beside_the_core(ledger);
    const bool says_why = worst || word == VerdictWord::suspect;
    if (!says_why && !waiting.empty()) return append(verdict.reasons, std::move(waiting));
    verdict.word = word;
    verdict.reasons.push_back(std::move(reason));
    append(verdict.reasons, std::move(not_known));
    append(verdict.reasons, std::move(waiting));
    verdict.common_factor = common_factor_in(ledger);
    const bool is_by_its_word = is_as_expected(verdict, ledger);
    std::vector<Reason> ways = ways_not_as_expected(ledger);
    verdict.ways_hold = ways.empty();
    verdict.as_expected = is_by_its_word && verdict.ways_hold;
    // Where they alone are in the way, they are what there is to say.
    verdict.reasons.insert(is_by_its_word ? verdict.reasons.begin() : verdict.reasons.end(), ways.begin(),
                           ways.end());
    verdict.exit_code = verdict.as_expected ? exit_held : exit_refuted;
}

std::string expected_text(const std::optional<Plan>& plan) {
    if (!plan) return "unknown";
    if (!plan->baseline) return std::string{to_string(plan->expectation)};
    return format("what {} says ({})", one_line(plan->baseline->file, 300),
                  one_line(plan->baseline->of, 120));
}

}  // namespace

Verdict judge(const Session& session, std::vector<Finding> evidence) {
    const Ledger ledger(session);
    Verdict verdict;
    verdict.simulated = simulated_in(session);
    verdict.expected_text = expected_text(session.plan);
    if (session.plan) {
        const int n = ledger.gpus(), pairs = n * (n - 1);
        verdict.expected = session.plan->expectation;
        verdict.self_check = session.plan->self_check;
        verdict.signature = signature_of(ledger);
        verdict.if_open = Signature{pairs, 3 * pairs, 0, 3 * pairs};
        verdict.if_locked = Signature{pairs, 3 * pairs, 2 * pairs, 3 * pairs};
        verdict.failing = failing_in(ledger);
        verdict.findings = findings_in(ledger);
    }
    for (Finding& finding : evidence) verdict.findings.push_back(std::move(finding));
    decide(ledger, verdict);
    if (verdict.word == VerdictWord::locked) add_copies_too(ledger, verdict.findings);
    return verdict;
}

}  // namespace peerproof
