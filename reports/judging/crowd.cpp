#include "reports/judging/crowd.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t names_limit = 120, detail_limit = 300;

// "gpu0_to_gpu1 store" is of that pair; a step of the ring is of none.
std::optional<std::pair<int, int>> pair_of(const Step& step) {
    int source = 0, destination = 0;
    if (std::sscanf(step.name.c_str(), "gpu%d_to_gpu%d ", &source, &destination) != 2) return std::nullopt;
    return std::pair{source, destination};
}

std::vector<std::pair<int, int>> flows_of(const Record& record, std::size_t gpus) {
    std::vector<std::pair<int, int>> flows;
    const auto is_gpu = [&](int index) { return index >= 0 && static_cast<std::size_t>(index) < gpus; };
    for (const Step& step : record.steps) {
        const auto pair = pair_of(step);
        if (pair && is_gpu(pair->first) && is_gpu(pair->second)) flows.push_back(*pair);
    }
    return flows;
}

struct Sum {
    const Measurement* measured;
    Ceiling ceiling;
};

std::optional<Sum> sum_of(const Ledger& ledger, const Ledger::Entry& entry) {
    if (!entry.is(Outcome::delivered) || entry.record->measurements.empty()) return std::nullopt;
    const Plan& plan = *ledger.session().plan;
    return Sum{&entry.record->measurements.front(),
               ceiling_of_sum(plan, flows_of(*entry.record, plan.gpus.size()), Reading::under_load,
                              observed(ledger))};
}

std::vector<std::string> wrong_steps(const Record& record) {
    std::vector<std::string> names;
    for (const Step& step : record.steps) {
        if (step.outcome != Outcome::delivered) names.push_back(one_line(step.name, 60));
    }
    return names;
}

std::string text_of(const Ledger& ledger, const Ledger::Entry& entry) {
    std::string text = format("{} {}", one_line(entry.planned->check, 40), entry.fate());
    if (entry.record == nullptr) return text;
    if (entry.does_not_apply()) return text + format(" ({})", one_line(entry.record->summary, detail_limit));
    if (!entry.is(Outcome::delivered)) {
        const auto names = wrong_steps(*entry.record);
        return names.empty() ? text : text + ": " + some_of(names, names_limit);
    }
    const auto flows = flows_of(*entry.record, ledger.session().plan->gpus.size());
    const std::set<std::pair<int, int>> pairs(flows.begin(), flows.end());
    const std::size_t gpus = entry.planned->gpus.size();
    if (!pairs.empty()) text += format(" {}/{}", pairs.size(), gpus * (gpus - 1));
    const auto sum = sum_of(ledger, entry);
    if (!sum) return text;
    text += format(" ({:.2f} GB/s in sum", sum->measured->median);
    if (sum->ceiling.known()) text += format(", of {:.2f} at most", *sum->ceiling.gb_per_s);
    return text + ")";
}

bool accuses(const Ledger::Entry& entry) {
    return entry.is_known() && !entry.is(Outcome::delivered) && !entry.does_not_apply();
}

}  // namespace

std::string text_of_crowd(const Ledger::Entry& entry) {
    return format("{}: {}", entry.planned->id, one_line(entry.record->summary, detail_limit));
}

std::string crowd_line(const Ledger& ledger) {
    if (!ledger.session().plan) return "";
    std::vector<std::string> parts;
    for (const auto* entry : ledger.of(Family::crowd)) parts.push_back(text_of(ledger, *entry));
    if (!parts.empty()) return join(parts, ", ");
    const auto& reasons = ledger.session().plan->not_run;
    const auto why = reasons.find("crowd");
    return why == reasons.end() ? "" : "not run: " + one_line(why->second, detail_limit);
}

std::vector<FlowRate> crowd_rates(const Ledger& ledger) {
    std::vector<FlowRate> rates;
    for (const auto* entry : ledger.of(Family::crowd)) {
        if (entry->planned->check != "all_pairs" || !entry->is(Outcome::delivered)) continue;
        for (const Step& step : entry->record->steps) {
            if (step.seconds > 0)
                rates.push_back(
                    {one_line(step.name, 60), static_cast<double>(step.bytes) / step.seconds / 1e9});
        }
    }
    return rates;
}

Entries lost_in_the_crowd(const Ledger& ledger) {
    Entries lost;
    for (const auto* entry : ledger.of(Family::crowd)) {
        if (entry->is(Outcome::missing) || entry->is(Outcome::wrong)) lost.push_back(entry);
    }
    return lost;
}

void crowd_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    for (const auto* entry : ledger.of(Family::crowd)) {
        if (entry->is(Outcome::inconclusive))
            findings.push_back({"crowd", text_of_crowd(*entry), {entry->planned->id}, false});
        if (accuses(*entry)) findings.push_back({"crowd", text_of_crowd(*entry), {entry->planned->id}, true});
        const auto sum = sum_of(ledger, *entry);
        if (!sum || !sum->ceiling.hard_gb_per_s ||
            sum->measured->median <= *sum->ceiling.hard_gb_per_s * rounding)
            continue;
        findings.push_back(
            {"impossible",
             format("{} measured {:.2f} GB/s in sum, where {} lets {:.2f} GB/s through; every byte was "
                    "verified, so the link's own status may be what is wrong",
                    entry->planned->id, sum->measured->median, sum->ceiling.narrowest,
                    *sum->ceiling.hard_gb_per_s),
             {entry->planned->id},
             true});
    }
}

}  // namespace peerproof
