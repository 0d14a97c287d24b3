#include "session/record.hpp"

#include <algorithm>
#include <cmath>

#include "session/earlier_words.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

constexpr std::size_t text_limit = 4096;
constexpr std::size_t count_limit =
    256;  // hints and so on of one case; steps and edges have 16 times as many

double finite(double value) { return std::isfinite(value) ? value : 0; }

nlohmann::json to_json(const Step& step) {
    return {{"name", printable(step.name, 64)},
            {"outcome", to_string(step.outcome)},
            {"bytes", step.bytes},
            {"reached_bytes", step.reached_bytes},
            {"memory_bytes", step.memory_bytes},
            {"call", printable(step.call, 128)},
            {"error", printable(step.error, 256)},
            {"diagnosis", printable(step.diagnosis, 64)},
            {"detail", printable(step.detail, text_limit)},
            {"mismatched_words", step.mismatched_words},
            {"first_offset", step.first_offset},
            {"expected_hex", printable(step.expected_hex, 32)},
            {"found_hex", printable(step.found_hex, 32)},
            {"seconds", finite(step.seconds)}};
}

Outcome outcome_from(const Member& json) {
    const std::string word = json.string("outcome");
    const auto outcome = parse_outcome(word);
    if (!outcome) json.at("outcome").fail("is an unknown outcome: " + printable(word, 60));
    return *outcome;
}

Step step_from(const Member& json, bool is_of_version_2) {
    return {.name = json.string("name"),
            .outcome = outcome_from(json),
            .bytes = json.natural("bytes"),
            .reached_bytes = is_of_version_2 ? 0 : json.natural("reached_bytes"),
            .memory_bytes = is_of_version_2 ? 0 : json.natural("memory_bytes"),
            .call = json.string("call"),
            .error = json.string("error"),
            .diagnosis = json.string("diagnosis"),
            .detail = json.string("detail"),
            .mismatched_words = json.natural("mismatched_words"),
            .first_offset = json.natural("first_offset"),
            .expected_hex = json.string("expected_hex"),
            .found_hex = json.string("found_hex"),
            .seconds = json.number("seconds")};
}

Measurement measurement_from(const Member& json) {
    Measurement measurement{.name = json.string("name"), .unit = json.string("unit")};
    const Member samples = json.at("samples");
    if (!samples.json().is_array() || samples.json().size() > measurement_sample_limit)
        samples.fail(format("must be a list of at most {} numbers", measurement_sample_limit));
    for (const nlohmann::json& sample : samples.json()) {
        if (!sample.is_number() || !std::isfinite(sample.get<double>()))
            samples.fail("must hold finite numbers");
        measurement.samples.push_back(sample.get<double>());
    }
    measurement.median = json.number("median");
    measurement.least = json.number("least");
    measurement.most = json.number("most");
    measurement.p5 = json.number("p5");
    measurement.p95 = json.number("p95");
    measurement.variation = json.number("variation");
    measurement.bytes = json.natural("bytes");
    measurement.shortest_seconds = json.number("shortest_seconds");
    return measurement;
}

Edge edge_from(const Member& json) {
    return {.from = static_cast<int>(json.integer("from", 0, 1023)),
            .to = static_cast<int>(json.integer("to", 0, 1023)),
            .path = json.string("path"),
            .channels = static_cast<int>(json.integer("channels", 0, 100000))};
}

nlohmann::json to_json(const Measurement& measurement) {
    return {{"name", printable(measurement.name, 64)},
            {"unit", printable(measurement.unit, 16)},
            {"samples", measurement.samples},
            {"median", finite(measurement.median)},
            {"least", finite(measurement.least)},
            {"most", finite(measurement.most)},
            {"p5", finite(measurement.p5)},
            {"p95", finite(measurement.p95)},
            {"variation", finite(measurement.variation)},
            {"bytes", measurement.bytes},
            {"shortest_seconds", finite(measurement.shortest_seconds)}};
}

nlohmann::json to_json(const Edge& edge) {
    return {{"from", edge.from},
            {"to", edge.to},
            {"path", printable(edge.path, 128)},
            {"channels", edge.channels}};
}

template <class T>
nlohmann::json list_of(const std::vector<T>& all) {
    nlohmann::json list = nlohmann::json::array();
    for (const T& one : all) list.push_back(to_json(one));
    return list;
}

}  // namespace

Hint hint_from(const Member& json) {
    return {.name = json.string("name"),
            .gpu = static_cast<int>(json.integer("gpu", Hint::none, 1023)),
            .peer = static_cast<int>(json.integer("peer", Hint::none, 1023)),
            .value = json.string("value"),
            .source = json.string("source")};
}

bool was_refused_by_the_bit(const Record& record) {
    return record.family == Family::collective && record.outcome == Outcome::refused &&
           std::any_of(record.hints.begin(), record.hints.end(),
                       [](const Hint& hint) { return hint.name == "can_access_peer" && hint.value == "0"; });
}

nlohmann::json to_json(const Hint& hint) {
    return {{"name", printable(hint.name, 64)},
            {"gpu", hint.gpu},
            {"peer", hint.peer},
            {"value", printable(hint.value, 256)},
            {"source", printable(hint.source, 256)}};
}

nlohmann::json to_json(const Record& record) {
    nlohmann::json json = {{"schema", record_schema.name()},
                           {"session", record.session},
                           {"case", record.case_id},
                           {"test", record.test},
                           {"family", to_string(record.family)},
                           {"check", record.check},
                           {"gpus", record.gpus},
                           {"simulated", or_null(record.simulated)},
                           {"state", record.finished ? "finished" : "started"},
                           {"outcome", to_string(record.outcome)},
                           {"summary", printable(record.summary, text_limit)},
                           {"steps", list_of(record.steps)},
                           {"hints", list_of(record.hints)},
                           {"measurements", list_of(record.measurements)},
                           {"links", list_of(record.links)},
                           {"edges", list_of(record.edges)},
                           {"started", record.started},
                           {"seconds", finite(record.seconds)},
                           {"exit_code", or_null(record.exit_code)},
                           {"signal", or_null(record.signal)},
                           {"log", printable(record.log, record_log_limit)}};
    if (record.soak) json["soak"] = to_json(*record.soak);
    return json;
}

Record record_from_json(const nlohmann::json& json, std::string_view origin) {
    const Document document(json, origin, record_schema);
    const Member root = document.root();
    const bool is_of_version_2 = document.version() == 2;
    Record record;
    record.session = root.string("session");
    record.case_id = root.string("case");
    record.test = root.string("test");
    const auto family = parse_family(root.string("family"));
    if (!family)
        root.at("family").fail(
            "must be control, core, evidence, way, measurement, collective, crowd, soak, again or closing");
    record.family = *family;
    record.check = root.string("check");
    record.gpus = root.indices("gpus");
    if (!root.is_null("simulated")) record.simulated = root.string("simulated");
    const std::string state = root.string("state");
    if (state != "started" && state != "finished") root.at("state").fail("must be started or finished");
    record.finished = state == "finished";
    record.outcome = outcome_from(root);
    record.summary = root.string("summary");
    for (const Member& step : root.list("steps")) record.steps.push_back(step_from(step, is_of_version_2));
    for (const Member& hint : root.list("hints")) record.hints.push_back(hint_from(hint));
    for (const Member& measurement : root.list("measurements"))
        record.measurements.push_back(measurement_from(measurement));
    for (const Member& link : root.list("links")) record.links.push_back(link_under_load_from(link));
    for (const Member& edge : root.list("edges")) record.edges.push_back(edge_from(edge));
    for (const std::size_t size : {record.steps.size() / 16, record.hints.size(), record.measurements.size(),
                                   record.links.size(), record.edges.size() / 16}) {
        if (size > count_limit)
            root.fail("holds more steps, hints, measurements, links or edges than a case can have");
    }
    if (!root.is_null("soak")) record.soak = soak_from(root.at("soak"));
    record.started = root.is_null("started") ? "" : root.string("started");
    record.seconds = root.is_null("seconds") ? 0 : root.number("seconds");
    if (!root.is_null("exit_code")) record.exit_code = static_cast<int>(root.integer("exit_code", 0, 255));
    if (!root.is_null("signal")) record.signal = static_cast<int>(root.integer("signal", 1, 64));
    record.log = root.is_null("log") ? "" : root.string("log");
    return record;
}

Record read_record(const std::filesystem::path& file) {
    return record_from_json(read_json(file, record_file_limit), file.string());
}

}  // namespace peerproof
