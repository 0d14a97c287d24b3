#include "tests/reports/sample_session.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "session/format.hpp"
#include "session/json.hpp"
#include "session/ways.hpp"

namespace peerproof::sample {
namespace {

std::string title_of(const std::string& check) {
    return check == "copy"          ? "Copy from A to B"
           : check == "read"        ? "Kernel on B reads A's memory"
           : check == "write"       ? "Kernel on A writes B's memory"
           : check == "staged_copy" ? "Staged copy, P2P never enabled"
                                    : check;
}

Case make_case(Family family, const std::string& check, std::vector<int> gpus,
               std::vector<Outcome> accepted) {
    Case made;
    made.id = format("{}.{}.{}", to_string(family), check, place_name(gpus));
    made.test = format("{}/{}.Test/{}", to_string(family), check, place_name(gpus));
    made.family = family;
    made.check = check;
    made.gpus = std::move(gpus);
    made.accepted = std::move(accepted);
    made.gates = family != Family::evidence;
    made.title = title_of(check);
    return made;
}

Step step_of(Outcome outcome) {
    Step step{.name = "word", .outcome = outcome, .bytes = 8};
    step.seconds = 0.0001;
    switch (outcome) {
        case Outcome::delivered:
            step.detail = "the owner found the stamp in all 1 words";
            break;
        case Outcome::illegal_address:
            step.call = "cudaDeviceSynchronize";
            step.error = "700 cudaErrorIllegalAddress";
            step.diagnosis = "api error";
            step.detail = "moving 8 bytes: cudaDeviceSynchronize answered 700 cudaErrorIllegalAddress";
            break;
        case Outcome::refused:
            step.call = "cudaMemcpyPeer";
            step.error = "801 cudaErrorNotSupported";
            step.diagnosis = "api error";
            step.detail = "moving 8 bytes: cudaMemcpyPeer answered 801 cudaErrorNotSupported";
            break;
        case Outcome::missing:
        case Outcome::wrong:
            step.diagnosis = outcome == Outcome::missing ? "poison intact" : "zeros";
            step.detail = outcome == Outcome::missing ? "nothing arrived: the poison is intact"
                                                      : "zeros in all 1 words";
            step.mismatched_words = 1;
            step.first_offset = 0;
            step.expected_hex = "0x0123456789abcdef";
            step.found_hex = outcome == Outcome::missing ? "0xfedcba9876543210" : "0x0000000000000000";
            break;
        default:
            break;
    }
    return step;
}

void set_outcome(Record& record, Outcome outcome) {
    record.outcome = outcome;
    record.steps.clear();
    const bool ended = outcome != Outcome::hung && outcome != Outcome::crashed &&
                       outcome != Outcome::unkillable && outcome != Outcome::inconclusive &&
                       outcome != Outcome::not_started && outcome != Outcome::not_applicable;
    if (ended) record.steps.push_back(step_of(outcome));
    record.summary = ended ? "word: " + record.steps.front().detail : format("ended: {}", to_string(outcome));
}

Session make(int gpus, Expectation expectation, Outcome access) {
    const bool open = expectation == Expectation::open;
    Session session;
    session.id = session_id;
    session.folder = "/runs/sample";
    Plan& plan = session.plan.emplace();
    plan.session = session_id;
    plan.run = 77;
    plan.suite = "0.1.0";
    plan.started = "2026-12-01T05:15:00Z";
    plan.expectation = expectation;
    plan.environment = {{"host", "bench7"}, {"driver", "13.0"}};
    const Outcome yes = Outcome::delivered, fault = Outcome::illegal_address;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        plan.gpus.push_back({.index = gpu,
                             .uuid = format("GPU-{:08x}-0000-0000-0000-000000000000", gpu),
                             .bus_id = format("0000:{:02x}:00.0", gpu + 1),
                             .name = "GPU",
                             .memory_bytes = std::uint64_t{64} << 30,
                             .compute_capability = "9.0"});
        plan.cases.push_back(make_case(Family::control, "fault", {gpu}, {fault}));
        plan.cases.push_back(make_case(Family::control, "negative", {gpu}, {Outcome::wrong}));
        plan.cases.push_back(make_case(Family::control, "positive", {gpu}, {yes}));
        plan.cases.push_back(make_case(Family::control, "recovery", {gpu}, {yes}));
    }
    for (int a = 0; a < gpus; ++a) {
        for (int b = 0; b < gpus; ++b) {
            if (a == b) continue;
            plan.cases.push_back(
                make_case(Family::core, "copy", {a, b},
                          open ? std::vector{yes} : std::vector{yes, Outcome::refused, fault}));
            plan.cases.push_back(make_case(Family::core, "read", {a, b}, {open ? yes : fault}));
            plan.cases.push_back(make_case(Family::core, "write", {a, b}, {open ? yes : fault}));
            plan.cases.push_back(make_case(Family::evidence, "staged_copy", {a, b}, {yes}));
        }
    }
    for (const Case& one : plan.cases) {
        Record record;
        record.session = session_id;
        record.case_id = one.id;
        record.test = one.test;
        record.family = one.family;
        record.check = one.check;
        record.gpus = one.gpus;
        record.finished = true;
        record.started = "2026-12-01T05:15:02Z";
        record.seconds = 0.41;
        record.exit_code = 0;
        const bool dereferences = one.check == "read" || one.check == "write";
        set_outcome(record, dereferences ? access : one.accepted.front());
        if (one.family == Family::core) {
            const bool through = access == Outcome::delivered;
            for (const auto& [gpu, peer] :
                 {std::pair{one.gpus[0], one.gpus[1]}, std::pair{one.gpus[1], one.gpus[0]}}) {
                record.hints.push_back({"can_access_peer", gpu, peer, through ? "1" : "0"});
                record.hints.push_back({"enable_peer_access", gpu, peer,
                                        through ? "0 cudaSuccess" : "101 cudaErrorInvalidDevice"});
            }
        }
        session.records.push_back(std::move(record));
    }
    return session;
}

}  // namespace

Session open_session(int gpus) { return make(gpus, Expectation::open, Outcome::delivered); }
Session locked_session(int gpus) { return make(gpus, Expectation::locked, Outcome::illegal_address); }

void add_collective(Session& session) {
    Plan& plan = session.plan.value();
    const bool open = plan.expectation != Expectation::locked;
    const int count = static_cast<int>(plan.gpus.size());
    const auto add = [&](const char* check, const std::string& place, std::vector<int> gpus, Outcome outcome,
                         const char* path) {
        Case one = make_case(Family::collective, check, gpus, {outcome});
        one.id = format("collective.{}.{}", check, place);
        one.test = format("Collective/{}.Holds/{}", check, place);
        one.gates = std::string_view(check) == "all_reduce";
        Record record{.session = session.id, .case_id = one.id, .test = one.test, .family = one.family};
        record.check = check;
        record.gpus = one.gpus;
        record.finished = true;
        record.started = "2026-12-01T05:16:02Z";
        record.seconds = 2.1;
        record.exit_code = 0;
        set_outcome(record, outcome);
        for (std::size_t i = 0; outcome == Outcome::delivered && i < gpus.size(); ++i)
            record.edges.push_back({gpus[i], gpus[(i + 1) % gpus.size()], path, 2});
        plan.cases.push_back(std::move(one));
        session.records.push_back(std::move(record));
    };
    const auto at_each_place = [&](const char* check, Outcome outcome, const char* path) {
        std::vector<int> all;
        for (int a = 0; a < count; ++a) {
            all.push_back(a);
            for (int b = a + 1; b < count; ++b)
                add(check, format("gpu{}_gpu{}", a, b), {a, b}, outcome, path);
        }
        add(check, "bench", all, outcome, path);
    };
    std::vector<int> all;
    for (int gpu = 0; gpu < count; ++gpu) all.push_back(gpu);
    add("all_reduce_without_p2p", "bench", all, Outcome::delivered, "SHM/direct/direct");
    at_each_place("all_reduce", open ? Outcome::delivered : Outcome::refused, "P2P/direct pointer");
    at_each_place("all_reduce_by_default", Outcome::delivered,
                  open ? "P2P/direct pointer" : "SHM/direct/direct");
}

void add_again(Session& session) {
    Plan& plan = session.plan.value();
    std::vector<Case> cases;
    for (const Case& core : plan.cases) {
        if (core.family != Family::core) continue;
        Case one = make_case(Family::again, core.check, core.gpus, core.accepted);
        one.accepted.push_back(Outcome::not_applicable);
        Record again = record(session, core.id);
        again.case_id = one.id;
        again.test = one.test;
        again.family = one.family;
        again.started = "2026-12-01T05:16:00Z";
        if (core.gpus != std::vector<int>{0, 1}) set_outcome(again, Outcome::not_applicable);
        session.records.push_back(std::move(again));
        cases.push_back(std::move(one));
    }
    plan.cases.insert(plan.cases.end(), cases.begin(), cases.end());
}

void add_crowd(Session& session) {
    std::vector<int> all;
    for (const Gpu& gpu : session.plan->gpus) all.push_back(gpu.index);
    for (const char* check : {"all_pairs", "all_to_all", "ring"}) {
        Case one = make_case(Family::crowd, check, all, {Outcome::delivered, Outcome::not_applicable});
        one.id = format("crowd.{}.bench", check);
        one.test = format("Crowd/{}.Test/bench", check);
        Record made{.session = session.id, .case_id = one.id, .test = one.test, .family = one.family};
        made.check = check;
        made.gpus = all;
        made.finished = true;
        made.outcome = Outcome::delivered;
        made.summary = "every owner found every byte";
        made.started = "2026-12-01T05:16:03Z";
        made.seconds = 3.4;
        made.exit_code = 0;
        for (const int source : all) {
            for (const int destination : all) {
                if (source == destination) continue;
                for (const char* act : {"load", "store", "copy"}) {
                    const std::string name = std::string_view(check) == "ring"
                                                 ? format("gpu{} up {}", destination, act)
                                                 : format("gpu{}_to_gpu{} {}", source, destination, act);
                    made.steps.push_back({.name = name, .outcome = Outcome::delivered, .bytes = 33554432});
                    made.steps.back().seconds = 0.0625;
                }
            }
        }
        if (std::string_view(check) == "all_pairs") {
            made.measurements.push_back({.name = "all_pairs", .unit = "GB/s", .samples = {3.4, 3.5, 3.6}});
            Measurement& sum = made.measurements.back();
            sum.least = sum.p5 = 3.4;
            sum.median = 3.5;
            sum.most = sum.p95 = 3.6;
            sum.bytes = 33554432 * made.steps.size();
            sum.shortest_seconds = 0.06;
        }
        session.plan->cases.push_back(std::move(one));
        session.records.push_back(std::move(made));
    }
}

void add_soak(Session& session) {
    Plan& plan = session.plan.value();
    plan.soak_s = 600;
    std::vector<int> all;
    for (const Gpu& gpu : plan.gpus) all.push_back(gpu.index);
    Case one = make_case(Family::soak, "rounds", all, {Outcome::delivered, Outcome::not_applicable});
    one.id = case_id(Family::soak, "rounds", "bench");
    one.test = "Soak/Rounds.Test/bench";
    Record made{.session = session.id, .case_id = one.id, .test = one.test, .family = one.family};
    made.check = one.check;
    made.gpus = all;
    made.finished = true;
    made.outcome = Outcome::delivered;
    made.started = "2026-12-01T05:16:07Z";
    made.seconds = 602.5;
    made.exit_code = 0;
    Soak soak{.seed = plan.run, .planned_s = 600, .seconds = 602.1, .rounds = 212};
    for (const int source : all) {
        for (const int destination : all) {
            if (source == destination) continue;
            soak.pairs.push_back({source, destination, 1'000'000'000'000, {200'000, 200'000, 200'000}, {}});
            soak.operations += 600'000;
            soak.bytes += 1'000'000'000'000;
        }
        soak.before.push_back(
            {source, {{"pcie_replays", 2}, {"temperature_c", 40}}, {{"xids", "no NVML"}}, {}});
        soak.after.push_back(
            {source, {{"pcie_replays", 2}, {"temperature_c", 71}}, {{"xids", "no NVML"}}, {}});
    }
    made.steps.push_back({.name = "all rounds", .outcome = Outcome::delivered, .bytes = soak.bytes});
    made.summary = soak_text(soak);
    made.soak = std::move(soak);
    plan.cases.push_back(std::move(one));
    session.records.push_back(std::move(made));
}

void add_ways(Session& session) {
    Plan& plan = session.plan.value();
    const bool open = plan.expectation != Expectation::locked;
    const int count = static_cast<int>(plan.gpus.size());
    for (const WayName& way : all_ways) {
        for (int a = 0; a < count; ++a) {
            for (int b = 0; b < count; ++b) {
                if (a == b) continue;
                Case one = make_case(Family::way, std::string(way.name), {a, b},
                                     {open ? Outcome::delivered : Outcome::illegal_address, Outcome::refused,
                                      Outcome::not_applicable});
                one.number = way.number;
                Record record{
                    .session = session.id, .case_id = one.id, .test = one.test, .family = one.family};
                record.check = one.check;
                record.gpus = one.gpus;
                record.simulated = plan.simulated;
                record.finished = true;
                record.started = "2026-12-01T05:15:20Z";
                record.seconds = 0.5;
                record.exit_code = 0;
                set_outcome(record, one.accepted.front());
                plan.cases.push_back(std::move(one));
                session.records.push_back(std::move(record));
            }
        }
    }
}

void refuse(Session& session, const std::string& case_id, const std::string& call, const std::string& error) {
    Record& one = record(session, case_id);
    set_outcome(one, Outcome::refused);
    one.steps.front().call = call;
    one.steps.front().error = error;
    one.summary = format("word: {} answered {}", call, error);
}

void add_measurements(Session& session) {
    Plan& plan = session.plan.value();
    const int count = static_cast<int>(plan.gpus.size());
    for (int gpu = 0; gpu < count; ++gpu) {
        Hop first{.device = format("gpu{}", gpu), .kind = "gpu", .speed = 5, .max_speed = 5, .lanes = 4};
        first.max_lanes = 4;
        plan.links.push_back({.gpu = gpu, .hops = {first}});
    }
    const auto add = [&](const char* check, const std::string& place, std::vector<int> gpus,
                         std::vector<std::pair<const char*, double>> measurements, const char* unit,
                         bool gates) {
        Case one = make_case(Family::measurement, check, gpus, {Outcome::delivered});
        one.id = format("measurement.{}.{}", check, place);
        one.test = format("Measurement/{}.IsMeasured/{}", check, place);
        one.gates = gates;
        Record record{.session = session.id, .case_id = one.id, .test = one.test, .family = one.family};
        record.check = check;
        record.gpus = one.gpus;
        record.finished = true;
        record.started = "2026-12-01T05:15:30Z";
        record.seconds = 0.9;
        record.exit_code = 0;
        set_outcome(record, Outcome::delivered);
        for (const auto& [name, median] : measurements) {
            Measurement measurement{.name = name, .unit = unit, .samples = {median, median}};
            measurement.median = measurement.least = measurement.most = measurement.p5 = measurement.p95 =
                median;
            measurement.bytes = std::uint64_t{32} << 20;
            record.measurements.push_back(measurement);
        }
        for (const int gpu : gpus)
            record.links.push_back({gpu, plan.links.at(static_cast<std::size_t>(gpu)).hops.front()});
        plan.cases.push_back(std::move(one));
        session.records.push_back(std::move(record));
    };
    for (int a = 0; a < count; ++a) {
        const std::string here = place_name({a});
        add("host_link", here, {a}, {{"host_to_device", 1.7}, {"device_to_host", 1.7}}, "GB/s", false);
        add("own_bandwidth", here, {a}, {{"own_read", 600}, {"own_write", 600}}, "GB/s", false);
        add("own_latency", here, {a}, {{"own_latency", 0.6}}, "us", false);
        for (int b = 0; b < count; ++b) {
            if (a == b) continue;
            const std::string place = place_name({a, b});
            for (const char* check : {"read_bandwidth", "write_bandwidth", "copy_bandwidth"})
                add(check, place, {a, b}, {{check, 1.68}}, "GB/s", true);
            add("staged_copy_bandwidth", place, {a, b}, {{"staged_copy_bandwidth", 1.6}}, "GB/s", false);
            add("read_latency", place, {a, b}, {{"read_latency", 1.3}}, "us", true);
            if (a > b) continue;
            const std::string two = format("gpu{}_gpu{}", a, b);
            add("bidirectional_copy_bandwidth", two, {a, b}, {{"bidirectional_copy_bandwidth", 3.3}}, "GB/s",
                true);
            add("bidirectional_staged_copy_bandwidth", two, {a, b},
                {{"bidirectional_staged_copy_bandwidth", 1.8}}, "GB/s", false);
            add("ping_pong", two, {a, b}, {{"ping_pong", 1.4}}, "us", true);
        }
    }
}

void add_closing(Session& session) {
    for (const Gpu& gpu : session.plan.value().gpus) {
        Case one = make_case(Family::closing, "still_there", {gpu.index}, {Outcome::delivered});
        Record record{.session = session.id, .case_id = one.id, .test = one.test, .family = one.family};
        record.check = one.check;
        record.gpus = one.gpus;
        record.simulated = session.plan->simulated;
        record.finished = true;
        record.started = "2026-12-01T05:17:00Z";
        record.seconds = 0.2;
        record.exit_code = 0;
        set_outcome(record, Outcome::delivered);
        session.plan->cases.push_back(std::move(one));
        session.records.push_back(std::move(record));
    }
}

Record& record(Session& session, const std::string& case_id) {
    for (Record& one : session.records) {
        if (one.case_id == case_id) return one;
    }
    throw std::logic_error("no record of " + case_id);
}

Case& planned(Session& session, const std::string& case_id) {
    for (Case& one : session.plan.value().cases) {
        if (one.id == case_id) return one;
    }
    throw std::logic_error("no case " + case_id);
}

Measurement& measurement(Session& session, const std::string& case_id) {
    return record(session, case_id).measurements.at(0);
}

void set_median(Session& session, const std::string& case_id, double median) {
    Measurement& one = measurement(session, case_id);
    one.median = one.least = one.most = one.p5 = one.p95 = median;
}

void observe(Session& session, const std::string& case_id, Outcome outcome) {
    set_outcome(record(session, case_id), outcome);
}

void remove_record(Session& session, const std::string& case_id) {
    const auto removed =
        std::erase_if(session.records, [&](const Record& one) { return one.case_id == case_id; });
    if (removed == 0) throw std::logic_error("no record of " + case_id);
}

void write(const Session& session, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "records");
    if (session.plan) write_file_atomically(folder / "plan.json", to_json(*session.plan).dump(1) + "\n");
    for (const Record& one : session.records)
        write_file_atomically(folder / "records" / (one.case_id + ".json"), to_json(one).dump(1) + "\n");
}

}  // namespace peerproof::sample
