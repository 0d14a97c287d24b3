#include "reports/judging/rules.hpp"

#include <algorithm>

#include "reports/judging/access.hpp"
#include "reports/judging/again.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/findings.hpp"
#include "reports/judging/soak.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

// On a session that is whole: every core check of every pair has its record.
class Rules {
  public:
    explicit Rules(const Ledger& ledger) : ledger_(ledger), core_(ledger.of(Family::core)) {}

    // What was seen to fail is said whatever else is not known: silent and hung. None where it is neither.
    std::optional<VerdictWord> worst(const Signature& signature, Reason& reason) const {
        if (say("silent", reason, "reported success, and the bytes are not there",
                {Outcome::missing, Outcome::wrong}) ||
            every_transfer_lies(reason) || lost_among_all(reason) || lost_meanwhile(reason) ||
            lost_at_the_end(reason)) {
            return VerdictWord::silent;
        }
        if (hung(signature, reason)) return VerdictWord::hung;
        return std::nullopt;
    }

    VerdictWord word(const std::vector<Finding>& findings, Reason& reason) const {
        if (const auto otherwise = answered_otherwise(ledger_); !otherwise.empty()) {
            reason = about_again("suspect", otherwise);
            return VerdictWord::suspect;
        }
        const auto delivered = [](const auto* entry) { return entry->is(Outcome::delivered); };
        if (std::all_of(core_.begin(), core_.end(), delivered)) return open_or_suspect(findings, reason);
        if (is_locked()) {
            if (const auto shut = shut_where_enabling_answered("0 cudaSuccess"); !shut.empty()) {
                reason = {"granted",
                          format("granted, and shut: the driver says yes and enabling succeeded, and the "
                                 "access ended in an illegal address: {}; the path may open late",
                                 some_of(shut, list_limit)),
                          shut};
                return VerdictWord::suspect;
            }
            // Neither granted here nor refused: somebody is said to have opened it before.
            if (const auto shut = shut_where_enabling_answered("704 cudaErrorPeerAccessAlreadyEnabled");
                !shut.empty()) {
                reason = {"partial",
                          format("enabling answered that access was enabled before (704), and the access "
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
        reason = {kind, format("{} of {} core checks {}", ids.size(), core_.size(), what), ids};
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
            format("{} {} first: {} of {} core checks did not end by themselves", reason.cases.front(),
                   to_string(all.front()->record->outcome), all.size(), core_.size());
        if (signature.not_known > 0)
            reason.text += format(", and {} are not known since", signature.not_known);
        if (all.size() > 1)
            reason.text += "; then " + some_of({reason.cases.begin() + 1, reason.cases.end()}, list_limit);
        return true;
    }

    Reason about_again(const char* kind, const std::vector<AskedAgain>& some) const {
        Reason reason{kind, "asked again at the end: " + some.front().text(ledger_), {}};
        if (some.size() > 1) reason.text += format("; and {} more", some.size() - 1);
        for (const AskedAgain& one : some) {
            reason.cases.push_back(one.first->planned->id);
            reason.cases.push_back(one.again->planned->id);
        }
        return reason;
    }

    // What each pair carries alone is lost where all talk at once.
    bool lost_among_all(Reason& reason) const {
        const Entries lost = lost_in_the_crowd(ledger_);
        if (lost.empty()) return false;
        reason = {"silent", "when all GPUs talked at once: " + text_of_crowd(*lost.front()), ids_of(lost)};
        return true;
    }

    // What each pair carries in one look is lost now and then, or after a time.
    bool lost_meanwhile(Reason& reason) const {
        const Entries lost = lost_in_the_soak(ledger_);
        if (lost.empty()) return false;
        reason = {"silent", "during the soak: " + text_of_soak(*lost.front()), ids_of(lost)};
        return true;
    }

    // A core check lies the second time, where it did not the first.
    bool lost_at_the_end(Reason& reason) const {
        std::vector<AskedAgain> lost = answered_otherwise(ledger_);
        std::erase_if(lost, [](const AskedAgain& one) { return !one.lost_bytes(); });
        if (lost.empty()) return false;
        reason = about_again("silent", lost);
        return true;
    }

    // The rule of the core in larger transfers: of a directed pair no measurement has its bytes, neither by copies
    // nor by kernels, and the owner looked at each. Several means agree, so that neither is the suite in
    // doubt nor is it one operation; a single measurement without its bytes leaves the bench suspect.
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
        reason.text = format(
            "every core check delivered, but no transfer measurement has its bytes, by copy or by kernel, "
            "although "
            "success was reported: {}",
            some_of(pairs, list_limit));
        return !pairs.empty();
    }

    // The transfer measurements of the pair, where there are some by copies and by kernels, and each of them lies.
    std::vector<std::string> lying_transfers(int source, int destination) const {
        std::vector<std::string> cases;
        bool by_copy = false, by_kernel = false;
        for (const char* check : {"copy_bandwidth", "read_bandwidth", "write_bandwidth"}) {
            const auto* entry = ledger_.find(Family::measurement, check, {source, destination});
            if (entry == nullptr || !entry->planned->gates) continue;
            if (!entry->is(Outcome::missing) && !entry->is(Outcome::wrong)) return {};
            (std::string_view(check) == "copy_bandwidth" ? by_copy : by_kernel) = true;
            cases.push_back(entry->planned->id);
        }
        return by_copy && by_kernel ? cases : std::vector<std::string>{};
    }

    // Honestly locked is what the driver says is locked: no capability, or enabling was refused. Where it
    // granted access in this very case and the access was illegal, the path may open late or never.
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
        reason = {
            "suspect",
            format("every core check delivered, but {}: {}; either the bench or the suite is not what it "
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

}  // namespace

std::optional<VerdictWord> what_failed_worst(const Ledger& ledger, const Signature& signature,
                                             Reason& reason) {
    return Rules(ledger).worst(signature, reason);
}

VerdictWord what_it_is(const Ledger& ledger, const std::vector<Finding>& findings, Reason& reason) {
    return Rules(ledger).word(findings, reason);
}

}  // namespace peerproof
