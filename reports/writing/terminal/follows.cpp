#include "reports/writing/terminal/follows.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace peerproof {
namespace {

bool names(const std::string& check, std::string_view word) { return check.find(word) != std::string::npos; }

// The core check that does the same thing to the peer's memory; empty where none does.
std::string operation_of(const Case& one) {
    if (one.family != Family::measurement || names(one.check, "staged")) return "";
    if (names(one.check, "read")) return "read";
    if (names(one.check, "write") || one.check == "ping_pong") return "write";
    if (one.gpus.size() == 2) return "copy";
    return "";
}

const Step* failed_step_of(const Record& record) {
    const auto step = std::find_if(record.steps.begin(), record.steps.end(),
                                   [](const Step& one) { return one.outcome != Outcome::delivered; });
    return step == record.steps.end() ? nullptr : &*step;
}

// The core looks closer at bytes that are missing: the writer may read them back through its window.
std::string_view reason_of(const Step& step) {
    if (!step.error.empty()) return step.error;
    return step.diagnosis == "mirror" ? "poison intact" : std::string_view{step.diagnosis};
}

bool says_the_same(const Ledger::Entry& one, const Ledger::Entry* core) {
    if (core == nullptr || !core->was_refuted() || one.record->outcome != core->record->outcome) return false;
    const Step *step = failed_step_of(*one.record), *of_core = failed_step_of(*core->record);
    if (step == nullptr || of_core == nullptr) return false;
    // The one word that a chain ends in cannot say what kind of wrong it is.
    const bool cannot_say = step->bytes == 8 && step->diagnosis == "corrupt";
    return cannot_say || reason_of(*step) == reason_of(*of_core);
}

bool follows(const Ledger& ledger, const Ledger::Entry& entry) {
    if (entry.record == nullptr || entry.is(Outcome::delivered)) return false;
    const auto core = ledger.of(Family::core);
    // What was not tried because of a core check names it.
    if (entry.is(Outcome::not_started) || entry.is(Outcome::inconclusive))
        return std::any_of(core.begin(), core.end(), [&](const auto* one) {
            return one->was_refuted() && names(entry.record->summary, one->planned->id);
        });
    // NCCL takes the bit's word, and the core has found that it is true.
    if (was_refused_by_the_bit(*entry.record))
        return std::any_of(core.begin(), core.end(),
                           [](const auto* one) { return one->is(Outcome::illegal_address); });
    if (entry.planned->family == Family::way) {
        const auto& pair = entry.planned->gpus;
        return std::any_of(core.begin(), core.end(), [&](const auto* one) {
            return one->planned->gpus == pair && says_the_same(entry, one);
        });
    }
    const std::string check = operation_of(*entry.planned);
    if (check.empty()) return false;
    const int a = entry.planned->gpus.at(0), b = entry.planned->gpus.at(1);
    const bool directed = names(entry.planned->id, "_to_");
    return says_the_same(entry, ledger.find(Family::core, check, {a, b})) ||
           (!directed && says_the_same(entry, ledger.find(Family::core, check, {b, a})));
}

}  // namespace

bool follows_from_core(const Ledger& ledger, const Finding& finding) {
    const std::set<std::string_view> ids(finding.cases.begin(), finding.cases.end());
    const auto& all = ledger.entries();
    return !ids.empty() && std::all_of(all.begin(), all.end(), [&](const Ledger::Entry& entry) {
        return !ids.contains(entry.planned->id) || follows(ledger, entry);
    });
}

}  // namespace peerproof
