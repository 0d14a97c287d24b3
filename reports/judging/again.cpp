#include "reports/judging/again.hpp"

#include <algorithm>
#include <ctime>
#include <optional>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

bool lies(const Ledger::Entry& entry) { return entry.is(Outcome::missing) || entry.is(Outcome::wrong); }

std::optional<std::time_t> moment_of(const std::string& iso) {
    std::tm parts{};
    const char* end = ::strptime(iso.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (end == nullptr || *end != '\0') return std::nullopt;
    return ::timegm(&parts);
}

double bytes_in(const Record& record) {
    double bytes = 0;
    for (const Step& step : record.steps) bytes += static_cast<double>(step.bytes);
    for (const Measurement& one : record.measurements)
        bytes += static_cast<double>(one.bytes) * static_cast<double>(one.samples.size());
    return bytes;
}

// What had been moved between GPUs before the first case of the end: between these two, and in all.
struct Carried {
    double by_pair = 0, by_all = 0;
};

Carried carried_before(const Ledger& ledger, const Case& planned) {
    Carried carried;
    for (const Ledger::Entry& entry : ledger.entries()) {
        const Case& one = *entry.planned;
        if (entry.record == nullptr || one.gpus.size() < 2 || one.family == Family::again) continue;
        const double bytes = bytes_in(*entry.record);
        carried.by_all += bytes;
        if (one.gpus.size() == 2 &&
            std::is_permutation(one.gpus.begin(), one.gpus.end(), planned.gpus.begin()))
            carried.by_pair += bytes;
    }
    return carried;
}

std::string amount(double bytes) {
    return bytes < 1e9 ? format("{:.1f} MB", bytes / 1e6) : format("{:.1f} GB", bytes / 1e9);
}

}  // namespace

bool AskedAgain::lost_bytes() const { return lies(*again) && !lies(*first); }

std::string AskedAgain::text(const Ledger& ledger) const {
    std::string when;
    const auto began = moment_of(ledger.session().plan->started), then = moment_of(again->record->started);
    if (began && then && *then >= *began)
        when = format("{} s after the session began, ", static_cast<long long>(*then - *began));
    const Carried carried = carried_before(ledger, *again->planned);
    return format("{} {}, and at the end {}: {}after {} between its GPUs and {} in all ({})",
                  first->planned->id, to_string(first->record->outcome), to_string(again->record->outcome),
                  when, amount(carried.by_pair), amount(carried.by_all),
                  one_line(again->record->summary, 200));
}

std::vector<AskedAgain> answered_otherwise(const Ledger& ledger) {
    std::vector<AskedAgain> some;
    for (const auto* again : ledger.of(Family::again)) {
        const auto* first = ledger.find(Family::core, again->planned->check, again->planned->gpus);
        if (first == nullptr || !first->is_known() || !again->is_known()) continue;
        if (first->record->outcome != again->record->outcome) some.push_back({first, again});
    }
    return some;
}

std::string again_line(const Ledger& ledger) {
    const auto planned = ledger.of(Family::again);
    if (planned.empty()) return "";
    const auto count = [&](auto is) { return std::count_if(planned.begin(), planned.end(), is); };
    const auto asked = count([](const auto* one) { return one->is_known(); });
    const auto not_needed = count([](const auto* one) { return one->does_not_apply(); });
    const auto unknown = static_cast<std::ptrdiff_t>(planned.size()) - asked - not_needed;
    const auto otherwise = answered_otherwise(ledger);
    std::string line = format("{} of {} core checks asked again at the end", asked, planned.size());
    if (asked > 0)
        line += otherwise.empty() ? ", with the same answers"
                                  : format(", {} answered otherwise", otherwise.size());
    if (unknown > 0) line += format("; of {} it is not known", unknown);
    if (not_needed > 0) line += "; nothing had failed on the GPUs of the rest";
    return line;
}

void again_findings(const Ledger& ledger, std::vector<Finding>& findings) {
    for (const AskedAgain& one : answered_otherwise(ledger))
        findings.push_back(
            {"asked again", one.text(ledger), {one.first->planned->id, one.again->planned->id}, true});
}

}  // namespace peerproof
