#include "reports/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "reports/common_factor.hpp"
#include "reports/findings.hpp"
#include "reports/ledger.hpp"
#include "reports/plain.hpp"
#include "reports/ruler.hpp"
#include "session/exit_code.hpp"

namespace peerproof {
namespace {

constexpr std::array<std::pair<VerdictWord, std::string_view>, 7> words{{
    {VerdictWord::open, "open"},
    {VerdictWord::locked, "locked"},
    {VerdictWord::partial, "partial"},
    {VerdictWord::silent, "silent"},
    {VerdictWord::hung, "hung"},
    {VerdictWord::suspect, "suspect"},
    {VerdictWord::no_verdict, "no_verdict"},
}};

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
        if (entry->record == nullptr) continue;
        ++signature.records;
        if (!entry->is(Outcome::delivered)) ++signature.failures;
    }
    signature.pairs = static_cast<int>(pairs.size());
    return signature;
}

std::vector<std::string> failing_in(const Ledger& ledger) {
    std::vector<std::string> ids;
    for (const auto* entry : ledger.of(Family::core)) {
        if (entry->record && !entry->is(Outcome::delivered)) ids.push_back(entry->planned->id);
    }
    return ids;
}

std::string common_factor_in(const Ledger& ledger) {
    std::vector<Failure> failures;
    for (const auto* entry : ledger.of(Family::core)) {
        if (entry->record == nullptr || entry->is(Outcome::delivered)) continue;
        const Case& planned = *entry->planned;
        failures.push_back({planned.gpus.at(0), planned.gpus.at(1), planned.check});
    }
    return common_factor(ledger.gpus(), failures);
}

// Rules 2 to 6 of the design, on a session that is whole: every core check of every pair has its record.
class Rules {
  public:
    explicit Rules(const Ledger& ledger) : core_(ledger.of(Family::core)) {}

    VerdictWord word(const std::vector<Finding>& findings, Reason& reason) const {
        if (say("silent", reason, "reported success, and the bytes are not there",
                {Outcome::missing, Outcome::wrong})) {
            return VerdictWord::silent;
        }
        if (say("hung", reason, "did not end by themselves",
                {Outcome::hung, Outcome::crashed, Outcome::unkillable})) {
            return VerdictWord::hung;
        }
        const auto delivered = [](const auto* entry) { return entry->is(Outcome::delivered); };
        if (std::all_of(core_.begin(), core_.end(), delivered)) return open_or_suspect(findings, reason);
        if (is_locked()) {
            reason = {"locked", "every read and every write ended in an illegal address", {}};
            return VerdictWord::locked;
        }
        say("partial", reason, "failed, and the bench is neither open nor locked",
            {Outcome::illegal_address, Outcome::refused});
        return VerdictWord::partial;
    }

  private:
    bool say(const char* kind, Reason& reason, const char* what,
             std::initializer_list<Outcome> outcomes) const {
        std::vector<std::string> ids;
        for (const auto* entry : core_) {
            if (std::find(outcomes.begin(), outcomes.end(), entry->record->outcome) != outcomes.end())
                ids.push_back(entry->planned->id);
        }
        if (ids.empty()) return false;
        reason = {kind, fmt::format("{} of {} core checks {}", ids.size(), core_.size(), what), ids};
        return true;
    }

    static VerdictWord open_or_suspect(const std::vector<Finding>& findings, Reason& reason) {
        const auto against = std::find_if(findings.begin(), findings.end(),
                                          [](const Finding& finding) { return finding.contradicts_open; });
        if (against == findings.end()) {
            reason = {"open", "every copy, read and write delivered, and the owner saw it", {}};
            return VerdictWord::open;
        }
        reason = {"suspect",
                  fmt::format(
                      "every core check delivered, but {}: {}; either the bench or the ruler is not what it "
                      "seems",
                      against->word, one_line(against->text, 300)),
                  against->cases};
        return VerdictWord::suspect;
    }

    // Copies may be staged or fail, but all alike: some of each is a bench with two faces.
    bool is_locked() const {
        std::size_t copies = 0, arrived = 0;
        for (const auto* entry : core_) {
            if (entry->planned->check == "copy") {
                ++copies;
                if (entry->is(Outcome::delivered)) ++arrived;
            } else if (!is_closed(*entry)) {
                return false;
            }
        }
        return arrived == 0 || arrived == copies;
    }

    std::vector<const Ledger::Entry*> core_;
};

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
        const bool decides =
            entry.planned->family == Family::core || entry.planned->family == Family::control;
        if (!entry.planned->gates) return true;
        if (!decides && (entry.record == nullptr || entry.is(Outcome::inconclusive))) return true;
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

std::string expected_text(const std::optional<Plan>& plan) {
    if (!plan) return "unknown";
    if (!plan->baseline) return std::string{to_string(plan->expectation)};
    return fmt::format("what {} says ({})", one_line(plan->baseline->file, 300),
                       one_line(plan->baseline->of, 120));
}

}  // namespace

std::string_view to_string(VerdictWord word) {
    for (const auto& [value, name] : words) {
        if (value == word) return name;
    }
    return "?";
}

std::optional<VerdictWord> parse_verdict(std::string_view text) {
    for (const auto& [value, name] : words) {
        if (name == text) return value;
    }
    return std::nullopt;
}

std::string Signature::text() const {
    std::string text = fmt::format("pairs={} checks={} failures={}", pairs, checks, failures);
    if (records != checks) text += fmt::format(" (records of {} checks only)", records);
    return text;
}

std::string Verdict::banner() const {
    std::string text;
    if (simulated) {
        text = fmt::format("SIMULATED BENCH {}: says nothing about real hardware", one_line(*simulated, 80));
    }
    if (self_check) {
        text += text.empty() ? "" : "\n";
        text +=
            "SELF-CHECK of the ruler: peer access was deliberately not enabled, so any bench must look "
            "locked";
    }
    return text;
}

Verdict judge(const Session& session, std::vector<Finding> evidence) {
    const Ledger ledger(session);
    Verdict verdict;
    verdict.simulated = simulated_in(session);
    verdict.expected_text = expected_text(session.plan);
    verdict.reasons = reasons_for_no_verdict(ledger);
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
    if (verdict.reasons.empty()) {
        Reason reason;
        verdict.word = Rules(ledger).word(verdict.findings, reason);
        verdict.reasons.push_back(std::move(reason));
        verdict.common_factor = common_factor_in(ledger);
        verdict.as_expected = is_as_expected(verdict, ledger);
        verdict.exit_code = verdict.as_expected ? exit_held : exit_refuted;
    }
    if (verdict.word == VerdictWord::locked) add_copies_too(ledger, verdict.findings);
    return verdict;
}

}  // namespace peerproof
