// Links, measurements and collective for the sample sessions.

#include "session/format.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof::sample {
namespace {

Hop hop(const std::string& device, const std::string& kind, double speed, int lanes) {
    return {.device = device,
            .kind = kind,
            .speed = 2.5,
            .max_speed = speed,
            .lanes = lanes,
            .max_lanes = lanes,
            .unknown = "",
            .source = "/sys/bus/pci/devices/" + device};
}

Measurement measurement(const std::string& name, const std::string& unit, double median) {
    Measurement made{.name = name, .unit = unit};
    for (int i = -7; i <= 7; ++i) made.samples.push_back(median * (1 + 0.002 * i));
    made.median = median;
    made.least = made.samples.front();
    made.most = made.samples.back();
    made.p5 = made.samples[1];
    made.p95 = made.samples[13];
    made.variation = 0.009;
    made.bytes = unit == "GB/s" ? 134217728 : 0;
    made.shortest_seconds = 0.0101;
    return made;
}

void add_case(Session& session, Family family, const std::string& check, const std::vector<int>& gpus,
              const std::string& place, Outcome outcome, std::vector<Measurement> measurements,
              std::vector<Edge> edges) {
    const std::string id = format("{}.{}.{}", to_string(family), check, place);
    const std::string test = format("{}/{}.Test/{}", to_string(family), check, place);
    session.plan->cases.push_back({id, test, family, check, gpus, {Outcome::delivered}, {}, false, check});
    Record record{
        .session = session_id, .case_id = id, .test = test, .family = family, .check = check, .gpus = gpus};
    record.simulated = session.plan->simulated;
    record.finished = true;
    record.outcome = outcome;
    record.summary = format("{}: {}", check, to_string(outcome));
    record.measurements = std::move(measurements);
    record.edges = std::move(edges);
    record.started = "2026-12-01T05:16:00Z";
    record.seconds = 1.2;
    record.exit_code = outcome == Outcome::delivered ? 0 : 1;
    session.records.push_back(std::move(record));
}

}  // namespace

void add_links(Session& session) {
    for (const Gpu& gpu : session.plan.value().gpus) {
        const bool riser = gpu.index % 2 == 1 && gpu.index > 1;
        GpuLinks links{.gpu = gpu.index,
                       .hops = {hop(gpu.bus_id, "gpu", riser ? 8 : 16, riser ? 4 : 16),
                                hop(format("0000:00:{:02x}.0", gpu.index + 1), "root port", 16, 16)},
                       .root = "pci0000:00",
                       .unknown = ""};
        links.nvlink_source = "NVML";
        if (gpu.index < 2)
            links.nvlinks = {{0, true, 26562, session.plan->gpus[gpu.index == 0 ? 1 : 0].bus_id, "gpu"}};
        session.plan->links.push_back(std::move(links));
    }
    session.plan->hints.push_back({"iommu", Hint::none, Hint::none, "off", "/sys/class/iommu"});
    session.plan->hints.push_back({"p2p_status_read", 0, 1, "OK", "nvmlDeviceGetP2PStatus"});
}

void add_every_measurement(Session& session) {
    const int gpus = static_cast<int>(session.plan.value().gpus.size());
    for (int a = 0; a < gpus; ++a) {
        for (int b = 0; b < gpus; ++b) {
            if (a == b) continue;
            const bool riser = (a % 2 == 1 && a > 1) || (b % 2 == 1 && b > 1);
            const double link = riser ? 3.2 : 26.3;
            const double read = a == 0 && b == 1 ? 89.0 : a + b == 1 ? 25.1 : link;
            const std::string place = place_name({a, b});
            const auto add = [&](const char* name, const char* unit, double median) {
                add_case(session, Family::measurement, name, {a, b}, place, Outcome::delivered,
                         {measurement(name, unit, median)}, {});
            };
            add("read_bandwidth", "GB/s", read);
            add("write_bandwidth", "GB/s", 0.94 * link);
            add("copy_bandwidth", "GB/s", 0.95 * link);
            add("staged_copy_bandwidth", "GB/s", 0.97 * link);
            add("bidirectional_copy_bandwidth", "GB/s", 1.8 * link);
            add("bidirectional_staged_copy_bandwidth", "GB/s", 1.2 * link);
            add("read_latency", "us", riser ? 2.4 : 1.2);
            add("ping_pong", "us", riser ? 3.1 : 1.9);
        }
    }
}

void add_every_sum(Session& session) {
    const std::string direct = "P2P/direct pointer";
    const int gpus = static_cast<int>(session.plan.value().gpus.size());
    std::vector<int> all;
    std::vector<Edge> ring;
    for (int a = 0; a < gpus; ++a) {
        all.push_back(a);
        ring.push_back({a, (a + 1) % gpus, direct, 2});
        for (int b = a + 1; b < gpus; ++b) {
            const bool shared = a == 0 && b == 1;
            const std::string path = shared ? "SHM/direct/direct" : direct,
                              place = format("gpu{}_gpu{}", a, b);
            add_case(session, Family::collective, "all_reduce", {a, b}, place, Outcome::delivered, {},
                     {{a, b, direct, 2}, {b, a, direct, 2}});
            add_case(session, Family::collective, "all_reduce_by_default", {a, b}, place,
                     shared ? Outcome::other_path : Outcome::delivered, {},
                     {{a, b, path, 2}, {b, a, path, 2}});
        }
    }
    add_case(session, Family::collective, "all_reduce", all, "bench", Outcome::delivered, {}, ring);
}

void spoil_texts(Session& session, const std::string& text) {
    Plan& plan = session.plan.value();
    for (Case& one : plan.cases) one.title = "x" + text;
    for (Gpu& gpu : plan.gpus) gpu.name = gpu.uuid = gpu.bus_id = gpu.compute_capability = text;
    for (auto& [name, value] : plan.environment) value = text;
    plan.environment[text] = text;
    plan.not_run[text] = text;
    plan.suite = plan.started = text;
    for (Hint& hint : plan.hints) hint.name = hint.value = hint.source = text;
    for (GpuLinks& gpu : plan.links) {
        gpu.root = gpu.nvlink_unknown = gpu.nvlink_source = gpu.host_link = text;
        for (Hop& one : gpu.hops) one.device = one.kind = one.unknown = one.source = text;
    }
    for (Record& record : session.records) {
        record.summary = record.log = text;
        for (Step& step : record.steps)
            step.name = step.call = step.error = step.diagnosis = step.detail = step.expected_hex =
                step.found_hex = text;
        for (Hint& hint : record.hints) hint.name = hint.value = hint.source = text;
        for (Measurement& one : record.measurements) one.name = one.unit = text;
        for (Edge& edge : record.edges) edge.path = text;
    }
}

}  // namespace peerproof::sample
