#include "reports/judging/measurements.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/judging/access.hpp"
#include "reports/reading/plain_text.hpp"

namespace peerproof {
namespace {

double speed_of(const LinkUnderLoad& link) {
    return pcie_ceiling(link.hop.speed, link.hop.lanes).gb_per_s.value_or(0);
}

std::optional<double> ratio_of(const Measured& staged, const Measured& direct) {
    if (!staged || !direct || direct.measurement->median <= 0) return std::nullopt;
    return staged.measurement->median / direct.measurement->median;
}

std::optional<double> predicted(const DrawnPath& staged, const DrawnPath& direct) {
    if (!staged.ceiling.known() || !direct.ceiling.known() || *direct.ceiling.gb_per_s <= 0)
        return std::nullopt;
    return *staged.ceiling.gb_per_s / *direct.ceiling.gb_per_s;
}

// Against one full hop after the other: 1 / (1 / out + 1 / in).
std::optional<double> pipelining_of(const Ledger& ledger, const PairMeasurements& pair) {
    const Measured out = measured(ledger, "host_link", {pair.source}, "device_to_host"),
                   in = measured(ledger, "host_link", {pair.destination}, "host_to_device");
    if (!pair.staged_copy || !out || !in || out.measurement->median <= 0 || in.measurement->median <= 0)
        return std::nullopt;
    return pair.staged_copy.measurement->median * (1 / out.measurement->median + 1 / in.measurement->median);
}

bool is_closed_pair(const Ledger& ledger, const std::vector<int>& place) {
    const auto* read = ledger.find(Family::core, "read", place);
    const auto* write = ledger.find(Family::core, "write", place);
    return read != nullptr && is_closed(*read) && write != nullptr && is_closed(*write);
}

std::vector<int> sorted(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

std::vector<LinkUnderLoad> loads_of(const Ledger& ledger, const std::vector<int>& gpus) {
    std::vector<LinkUnderLoad> loads;
    for (const auto* entry : ledger.of(Family::measurement)) {
        if (entry->record == nullptr) continue;
        for (const LinkUnderLoad& link : entry->record->links) {
            if (std::find(gpus.begin(), gpus.end(), link.gpu) == gpus.end()) continue;
            const auto known = std::find_if(loads.begin(), loads.end(), [&](const LinkUnderLoad& one) {
                return one.gpu == link.gpu && one.hop.device == link.hop.device;
            });
            if (known == loads.end())
                loads.push_back(link);
            else if (speed_of(link) > speed_of(*known))
                *known = link;
        }
    }
    return loads;
}

Observed observed(const Ledger& ledger) {
    Observed seen;
    std::map<std::string, std::size_t> by_device;
    for (int gpu = 0; gpu < ledger.gpus(); ++gpu) {
        HostSpeed host{gpu, 0};
        for (const char* name : {"host_to_device", "device_to_host"}) {
            if (const Measured one = measured(ledger, "host_link", {gpu}, name); one)
                host.gb_per_s = std::max(host.gb_per_s, one.measurement->median);
        }
        seen.host.push_back(host);
        for (const LinkUnderLoad& link : loads_of(ledger, {gpu})) {
            const auto [at, is_new] = by_device.emplace(link.hop.device, seen.loads.size());
            if (is_new)
                seen.loads.push_back(link);
            else if (speed_of(link) > speed_of(seen.loads[at->second]))
                seen.loads[at->second] = link;
        }
    }
    return seen;
}

Ceiling ceiling_of(const PairMeasurements& pair, std::string_view check) {
    const bool both = check.starts_with("bidirectional"),
               copy = check.find("copy") != std::string_view::npos || check == "bidirectional_copy_bandwidth";
    const bool asked_for_staged = check.find("staged") != std::string_view::npos;
    const bool one_closed = pair.closed || pair.reverse_closed,
               all_closed = pair.closed && pair.reverse_closed;
    if (copy && both && !asked_for_staged && one_closed && !all_closed)
        return {.unknown = "one of the two directions is closed, and its copies are staged"};
    Ceiling ceiling = asked_for_staged || (copy && pair.closed) ? pair.staged.ceiling : pair.direct.ceiling;
    for (auto* limit : {&ceiling.gb_per_s, &ceiling.hard_gb_per_s}) {
        if (*limit && both) **limit *= 2;  // each direction has it for itself
    }
    return ceiling;
}

std::optional<Ceiling> ceiling_of(const Ledger& ledger, const std::vector<PairMeasurements>& pairs,
                                  const Case& of, const Measurement& measurement) {
    if (measurement.unit != "GB/s" || of.check == "own_bandwidth" || of.gpus.empty()) return std::nullopt;
    if (of.check == "host_link")
        return host_path(*ledger.session().plan, of.gpus.front(), Reading::under_load, observed(ledger))
            .ceiling;
    for (const PairMeasurements& pair : pairs) {
        if (of.gpus.size() == 2 && pair.source == of.gpus.front() && pair.destination == of.gpus.back())
            return ceiling_of(pair, of.check);
    }
    return std::nullopt;
}

Measured measured(const Ledger& ledger, std::string_view check, const std::vector<int>& gpus,
                  std::string_view name) {
    const auto* entry = ledger.find(Family::measurement, check, gpus);
    if (entry == nullptr || !entry->is_measured()) return {};
    for (const Measurement& measurement : entry->record->measurements) {
        if (measurement.name == (name.empty() ? check : name)) return {&measurement, entry};
    }
    return {};
}

std::vector<PairMeasurements> measurements_of(const Ledger& ledger) {
    std::vector<PairMeasurements> pairs;
    if (ledger.of(Family::measurement).empty()) return pairs;
    const Plan& plan = *ledger.session().plan;
    const Observed seen = observed(ledger);
    for (int source = 0; source < ledger.gpus(); ++source) {
        for (int destination = 0; destination < ledger.gpus(); ++destination) {
            if (source == destination) continue;
            const std::vector<int> place{source, destination}, two = sorted(source, destination);
            PairMeasurements pair{.source = source, .destination = destination};
            pair.direct = direct_path(plan, source, destination, Reading::under_load, seen);
            pair.staged = staged_path(plan, source, destination, Reading::under_load, seen);
            pair.read = measured(ledger, "read_bandwidth", place);
            pair.write = measured(ledger, "write_bandwidth", place);
            pair.copy = measured(ledger, "copy_bandwidth", place);
            pair.staged_copy = measured(ledger, "staged_copy_bandwidth", place);
            pair.latency = measured(ledger, "read_latency", place);
            pair.bidirectional = measured(ledger, "bidirectional_copy_bandwidth", two);
            pair.bidirectional_staged = measured(ledger, "bidirectional_staged_copy_bandwidth", two);
            pair.bidirectional_read = measured(ledger, "bidirectional_read_bandwidth", two);
            pair.bidirectional_write = measured(ledger, "bidirectional_write_bandwidth", two);
            pair.ping_pong = measured(ledger, "ping_pong", two);
            pair.predicted_ratio = predicted(pair.staged, pair.direct);
            pair.ratio = ratio_of(pair.staged_copy, pair.copy);
            pair.bidirectional_ratio = ratio_of(pair.bidirectional_staged, pair.bidirectional);
            pair.pipelining = pipelining_of(ledger, pair);
            pair.closed = is_closed_pair(ledger, place);
            pair.reverse_closed = is_closed_pair(ledger, {destination, source});
            pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

}  // namespace peerproof
