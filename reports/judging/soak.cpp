#include "reports/judging/soak.hpp"

#include <algorithm>
#include <cmath>

#include "reports/reading/plain_text.hpp"
#include "session/duration.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t reason_limit = 300, soak_limit = 1000;

struct ErrorCounter {
    const char *name, *words;
    bool accuses;
};
// Of the port above a GPU come the errors of the same link, and of what else is behind it.
constexpr ErrorCounter counters[] = {
    {"pcie_replays", "PCIe replays of gpu{}", false},
    {"ecc_corrected", "corrected errors of the memory of gpu{}", false},
    {"ecc_uncorrected", "uncorrected errors of the memory of gpu{}", true},
    {"aer_correctable", "corrected PCIe errors of gpu{}", false},
    {"aer_nonfatal", "uncorrected PCIe errors of gpu{} (nonfatal)", true},
    {"aer_fatal", "uncorrected PCIe errors of gpu{} (fatal)", true},
    {"port_aer_correctable", "corrected PCIe errors of the port above gpu{}", false},
    {"port_aer_nonfatal", "uncorrected PCIe errors of the port above gpu{} (nonfatal)", true},
    {"port_aer_fatal", "uncorrected PCIe errors of the port above gpu{} (fatal)", true},
    {"nvlink_replays", "NVLink replays of gpu{}", false},
    {"nvlink_recoveries", "NVLink recoveries of gpu{}", false},
    {"nvlink_crc_flit", "NVLink errors of flits of gpu{}", false},
    {"nvlink_crc_data", "NVLink errors of data of gpu{}", false},
};

// NVIDIA's list of Xids: what a program on the GPU brings about, its own or another's.
constexpr int xids_of_programs[] = {13, 31, 43, 45};

std::string named(const char* words, int gpu) {
    std::string text = words;
    return text.replace(text.find("{}"), 2, std::to_string(gpu));
}

void counters_of(const GpuHealth& before, const GpuHealth& after, std::vector<Rise>& rises) {
    for (const ErrorCounter& counter : counters) {
        const auto then = before.values.find(counter.name), now = after.values.find(counter.name);
        if (then == before.values.end() || now == after.values.end() || now->second <= then->second) continue;
        rises.push_back(
            {after.gpu,
             format("{} rose by {:.0f}", named(counter.words, after.gpu), now->second - then->second),
             counter.accuses});
    }
}

void xids_of(const GpuHealth& after, std::vector<Rise>& rises) {
    for (const int xid : after.xids) {
        const bool of_program = std::find(std::begin(xids_of_programs), std::end(xids_of_programs), xid) !=
                                std::end(xids_of_programs);
        rises.push_back({after.gpu,
                         format("the driver reported Xid {} of gpu{}{}", xid, after.gpu,
                                of_program ? ", as a program on it can bring about" : ""),
                         !of_program});
    }
}

const Ledger::Entry* entry_of(const Ledger& ledger) {
    const Entries all = ledger.of(Family::soak);
    return all.empty() ? nullptr : all.front();
}

// What clean operations leave possible, of the pair that had the fewest.
std::string bound_of(const Soak& soak) {
    if (soak.pairs.empty()) return "";
    const auto fewest = std::min_element(
        soak.pairs.begin(), soak.pairs.end(),
        [](const SoakPair& a, const SoakPair& b) { return a.all_operations() < b.all_operations(); });
    const std::uint64_t operations = fewest->all_operations();
    if (operations == 0) return "";
    return format("; each pair in {} operations at least: less than one in {} goes wrong (95 %)",
                  with_commas(operations),
                  with_commas(static_cast<std::uint64_t>(1 / rate_at_most(operations))));
}

bool went_wrong(const Ledger::Entry& entry) {
    return entry.is_known() && !entry.is(Outcome::delivered) && !entry.does_not_apply();
}

}  // namespace

std::vector<Rise> rises_in(const Soak& soak) {
    std::vector<Rise> rises;
    for (const GpuHealth& after : soak.after) {
        const auto before = std::find_if(soak.before.begin(), soak.before.end(),
                                         [&](const GpuHealth& one) { return one.gpu == after.gpu; });
        if (before != soak.before.end()) counters_of(*before, after, rises);
        xids_of(after, rises);
    }
    return rises;
}

const Soak* soak_of(const Ledger& ledger) {
    const auto* entry = entry_of(ledger);
    if (entry == nullptr) return nullptr;
    if (entry->record != nullptr) return entry->record->soak ? &*entry->record->soak : nullptr;
    for (const Record& record : ledger.session().records) {  // ended with its supervisor
        if (entry->started && record.case_id == entry->planned->id && record.soak) return &*record.soak;
    }
    return nullptr;
}

bool is_whole_soak(const Ledger::Entry& entry, const Plan& plan) {
    const auto& soak = entry.record->soak;
    return soak && soak->rounds > 0 && soak->operations > 0 && soak->bytes > 0 && soak->wrong == 0 &&
           soak->cut_short.empty() && soak->planned_s == plan.soak_s && soak->seconds >= plan.soak_s;
}

std::string text_of_soak(const Ledger::Entry& entry) {
    return format("{}: {}", entry.planned->id, one_line(entry.record->summary, soak_limit));
}

std::string soak_line(const Ledger& ledger) {
    if (!ledger.session().plan) return "";
    const auto* entry = entry_of(ledger);
    if (entry == nullptr) {
        const auto& reasons = ledger.session().plan->not_run;
        const auto why = reasons.find("soak");
        return why == reasons.end() ? "" : "not run: " + one_line(why->second, reason_limit);
    }
    const Soak* soak = soak_of(ledger);
    std::string text = soak == nullptr ? "" : one_line(soak_text(*soak), soak_limit);
    if (soak != nullptr && soak->wrong == 0) text += bound_of(*soak);
    if (entry->record == nullptr)
        return format("{}{}{}", entry->fate(), text.empty() ? "" : ", at last: ", text);
    if (soak == nullptr)
        return format("{} ({})", entry->fate(), one_line(entry->record->summary, reason_limit));
    const bool says_it = entry->is(Outcome::delivered) || entry->is(Outcome::inconclusive) || soak->wrong > 0;
    return says_it ? text : format("{}, at last: {}", entry->fate(), text);
}

Entries lost_in_the_soak(const Ledger& ledger) {
    Entries lost;
    for (const auto* entry : ledger.of(Family::soak)) {
        if (entry->is(Outcome::missing) || entry->is(Outcome::wrong)) lost.push_back(entry);
    }
    return lost;
}

void soak_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    const auto* entry = entry_of(ledger);
    if (entry == nullptr) return;
    if (entry->record != nullptr && went_wrong(*entry))
        findings.push_back({"soak", text_of_soak(*entry), {entry->planned->id}, true});
    const Soak* soak = soak_of(ledger);
    if (soak == nullptr) return;
    for (const Rise& rise : rises_in(*soak))
        findings.push_back({"health",
                            format("during the soak ({} and {} between all GPUs) {}", bytes_text(soak->bytes),
                                   duration_text(std::round(soak->seconds)), rise.text),
                            {entry->planned->id},
                            rise.accuses});
}

}  // namespace peerproof
