#include "reports/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "reports/common_factor.hpp"
#include "reports/findings.hpp"
#include "reports/ledger.hpp"
#include "reports/not_known.hpp"
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

// Rules 2 to 6 of the design, on a session that is whole: every core check of every pair has its record.
class Rules {
  public:
    explicit Rules(const Ledger& ledger) : ledger_(ledger), core_(ledger.of(Family::core)) {}

    // What was seen to fail is said whatever else is not known: silent and hung. None where it is neither.
    std::optional<VerdictWord> worst(const Signature& signature, Reason& reason) const {
        if (say("silent", reason, "reported success, and the bytes are not there",
                {Outcome::missing, Outcome::wrong}) ||
            every_transfer_lies(reason)) {
            return VerdictWord::silent;
        }
        if (hung(signature, reason)) return VerdictWord::hung;
        return std::nullopt;
    }

    VerdictWord word(const std::vector<Finding>& findings, Reason& reason) const {
        const auto delivered = [](const auto* entry) { return entry->is(Outcome::delivered); };
        if (std::all_of(core_.begin(), core_.end(), delivered)) return open_or_suspect(findings, reason);
        if (is_locked()) {
            if (const auto shut = shut_where_enabling_answered("0 cudaSuccess"); !shut.empty()) {
                reason = {
                    "granted",
                    fmt::format("granted, and shut: the driver says yes and enabling succeeded, and the "
                                "access ended in an illegal address: {}; the road may open late",
                                some_of(shut, list_limit)),
                    shut};
                return VerdictWord::suspect;
            }
            // Neither granted here nor refused: somebody is said to have opened it before.
            if (const auto shut = shut_where_enabling_answered("704 cudaErrorPeerAccessAlreadyEnabled");
                !shut.empty()) {
                reason = {
                    "partial",
                    fmt::format("enabling answered that access was enabled before (704), and the access "
                                "ended in an illegal address: {}; neither open nor honestly locked",
                                some_of(shut, list_limit)),
                    shut};
                return VerdictWord::partial;
            }
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
            if (std::any_of(outcomes.begin(), outcomes.end(), [&](Outcome one) { return entry->is(one); }))
                ids.push_back(entry->planned->id);
        }
        if (ids.empty()) return false;
        reason = {kind, fmt::format("{} of {} core checks {}", ids.size(), core_.size(), what), ids};
        return true;
    }

    // The first is the one to look at: what came later may have hung because of it.
    bool hung(const Signature& signature, Reason& reason) const {
        std::vector<const Ledger::Entry*> all;
        for (const auto* entry : core_) {
            if (entry->is(Outcome::hung) || entry->is(Outcome::crashed) || entry->is(Outcome::unkillable))
                all.push_back(entry);
        }
        if (all.empty()) return false;
        std::stable_sort(all.begin(), all.end(),
                         [](auto* a, auto* b) { return a->record->started < b->record->started; });
        reason = {"hung", "", {}};
        for (const auto* entry : all) reason.cases.push_back(entry->planned->id);
        reason.text =
            fmt::format("{} {} first: {} of {} core checks did not end by themselves", reason.cases.front(),
                        to_string(all.front()->record->outcome), all.size(), core_.size());
        if (signature.not_known > 0)
            reason.text += fmt::format(", and {} are not known since", signature.not_known);
        if (all.size() > 1)
            reason.text += "; then " + some_of({reason.cases.begin() + 1, reason.cases.end()}, list_limit);
        return true;
    }

    // The rule of the core in larger transfers: of a directed pair no figure has its bytes, neither by copies
    // nor by kernels, and the owner looked at each. Several means agree, so that neither is the ruler in
    // doubt nor is it one operation; a single figure without its bytes leaves the bench suspect.
    bool every_transfer_lies(Reason& reason) const {
        std::vector<std::string> pairs;
        reason = {"silent", "", {}};
        for (int source = 0; source < ledger_.gpus(); ++source) {
            for (int destination = 0; destination < ledger_.gpus(); ++destination) {
                const auto cases = lying_transfers(source, destination);
                if (cases.empty()) continue;
                pairs.push_back(place_name({source, destination}));
                reason.cases.insert(reason.cases.end(), cases.begin(), cases.end());
            }
        }
        reason.text = fmt::format(
            "every core check delivered, but no transfer figure has its bytes, by copy or by kernel, "
            "although "
            "success was reported: {}",
            some_of(pairs, list_limit));
        return !pairs.empty();
    }

    // The transfer figures of the pair, where there are some by copies and by kernels, and each of them lies.
    std::vector<std::string> lying_transfers(int source, int destination) const {
        std::vector<std::string> cases;
        bool by_copy = false, by_kernel = false;
        for (const char* check : {"copy_speed", "read_speed", "write_speed"}) {
            const auto* entry = ledger_.find(Family::figure, check, {source, destination});
            if (entry == nullptr || !entry->planned->gates) continue;
            if (!entry->is(Outcome::missing) && !entry->is(Outcome::wrong)) return {};
            (std::string_view(check) == "copy_speed" ? by_copy : by_kernel) = true;
            cases.push_back(entry->planned->id);
        }
        return by_copy && by_kernel ? cases : std::vector<std::string>{};
    }

    // Honestly locked is what the driver says is locked: no capability, or enabling was refused. Where it
    // granted access in this very case and the access was illegal, the road may open late or never.
    std::vector<std::string> shut_where_enabling_answered(std::string_view answer) const {
        std::vector<std::string> shut;
        for (const auto* entry : core_) {
            const bool read = entry->planned->check == "read";
            if (!read && entry->planned->check != "write") continue;
            const int actor = entry->planned->gpus[read ? 1 : 0], owner = entry->planned->gpus[read ? 0 : 1];
            const auto said = [&](std::string_view name, std::string_view value) {
                const auto& hints = entry->record->hints;
                return std::any_of(hints.begin(), hints.end(), [&](const Hint& hint) {
                    return hint.name == name && hint.gpu == actor && hint.peer == owner &&
                           hint.value == value;
                });
            };
            if (said("can_access_peer", "1") && said("enable_peer_access", answer))
                shut.push_back(entry->planned->id);
        }
        return shut;
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

    const Ledger& ledger_;
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
        if (!entry.planned->gates || entry.only_a_finding()) return true;
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
    const Rules rules(ledger);
    Reason reason;
    const auto worst = rules.worst(*verdict.signature, reason);
    if (!worst && !not_known.empty()) return append(verdict.reasons, std::move(not_known));
    const VerdictWord word = worst ? *worst : rules.word(verdict.findings, reason);
    std::vector<Reason> waiting = not_started_beside_the_core(ledger);
    const bool says_why = worst || word == VerdictWord::suspect;
    if (!says_why && !waiting.empty()) return append(verdict.reasons, std::move(waiting));
    verdict.word = word;
    verdict.reasons.push_back(std::move(reason));
    append(verdict.reasons, std::move(not_known));
    append(verdict.reasons, std::move(waiting));
    verdict.common_factor = common_factor_in(ledger);
    verdict.as_expected = is_as_expected(verdict, ledger);
    verdict.exit_code = verdict.as_expected ? exit_held : exit_refuted;
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
    if (not_known > 0) text += fmt::format(" not_known={}", not_known);
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
