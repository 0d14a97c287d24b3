#include "session/soak.hpp"

#include <algorithm>
#include <cmath>

#include "session/duration.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

constexpr std::size_t most_pairs = 64 * 63, most_texts = 64;

nlohmann::json to_json(const GpuHealth& health) {
    nlohmann::json not_said = nlohmann::json::object();
    for (const auto& [name, why] : health.not_said) not_said[name] = printable(why, 256);
    return {{"gpu", health.gpu}, {"values", health.values}, {"not_said", not_said}, {"xids", health.xids}};
}

GpuHealth health_from(const Member& json) {
    GpuHealth health{.gpu = static_cast<int>(json.integer("gpu", 0, 1023))};
    const Member values = json.at("values"), not_said = json.at("not_said");
    if (!values.json().is_object() || values.json().size() > most_texts) values.fail("must hold few numbers");
    for (const auto& [name, value] : values.json().items()) health.values[name] = values.number(name.c_str());
    if (!not_said.json().is_object() || not_said.json().size() > most_texts)
        not_said.fail("must hold few texts");
    for (const auto& [name, why] : not_said.json().items())
        health.not_said[name] = not_said.string(name.c_str());
    const Member xids = json.at("xids");
    if (!xids.json().is_array() || xids.json().size() > most_xids) xids.fail("must be a short list");
    for (const nlohmann::json& xid : xids.json()) {
        if (!xid.is_number_integer() || xid < 0 || xid > 100000) xids.fail("must hold numbers of Xids");
        health.xids.push_back(xid.get<int>());
    }
    return health;
}

nlohmann::json list_of(const std::vector<GpuHealth>& all) {
    nlohmann::json list = nlohmann::json::array();
    for (const GpuHealth& one : all) list.push_back(to_json(one));
    return list;
}

std::vector<GpuHealth> healths_from(const Member& json, const char* name) {
    std::vector<GpuHealth> all;
    for (const Member& one : json.list(name)) all.push_back(health_from(one));
    return all;
}

nlohmann::json to_json(const SoakPair& pair) {
    return {{"source", pair.source},
            {"destination", pair.destination},
            {"bytes", pair.bytes},
            {"operations", pair.operations},
            {"wrong", pair.wrong}};
}

std::array<std::uint64_t, 3> three(const Member& json, const char* name) {
    const Member list = json.at(name);
    std::array<std::uint64_t, 3> numbers{};
    if (!list.json().is_array() || list.json().size() != numbers.size()) list.fail("must be three numbers");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!list.json()[i].is_number_unsigned()) list.fail("must hold natural numbers");
        numbers[i] = list.json()[i].get<std::uint64_t>();
    }
    return numbers;
}

SoakPair pair_from(const Member& json) {
    return {.source = static_cast<int>(json.integer("source", 0, 1023)),
            .destination = static_cast<int>(json.integer("destination", 0, 1023)),
            .bytes = json.natural("bytes"),
            .operations = three(json, "operations"),
            .wrong = three(json, "wrong")};
}

nlohmann::json to_json(const SoakWrong& wrong) {
    return {{"flow", printable(wrong.flow, 64)},
            {"outcome", to_string(wrong.outcome)},
            {"beside", printable(wrong.beside, 64)},
            {"round", wrong.round},
            {"operation", wrong.operation},
            {"operation_all", wrong.operation_all},
            {"bytes", wrong.bytes},
            {"bytes_all", wrong.bytes_all},
            {"seconds", wrong.seconds},
            {"detail", printable(wrong.detail, 1024)},
            {"before", list_of(wrong.before)},
            {"after", list_of(wrong.after)}};
}

SoakWrong wrong_from(const Member& json) {
    const auto outcome = parse_outcome(json.string("outcome"));
    if (!outcome) json.at("outcome").fail("is an unknown outcome");
    return {.flow = json.string("flow"),
            .outcome = *outcome,
            .beside = json.string("beside"),
            .round = json.natural("round"),
            .operation = json.natural("operation"),
            .operation_all = json.natural("operation_all"),
            .bytes = json.natural("bytes"),
            .bytes_all = json.natural("bytes_all"),
            .seconds = json.number("seconds"),
            .detail = json.string("detail"),
            .before = healths_from(json, "before"),
            .after = healths_from(json, "after")};
}

std::string lasting(double seconds) { return duration_text(std::round(seconds)); }

}  // namespace

std::string with_commas(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::pair<double, const char*> units[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
    const auto amount = static_cast<double>(bytes);
    for (const auto& [size, name] : units) {
        if (amount >= size) return format("{:.1f} {}", amount / size, name);
    }
    return format("{} bytes", bytes);
}

std::string wrong_text(const SoakWrong& wrong) {
    return format(
        "{}, operation {} of this pair ({} of all) after {} ({} of all) and {}, in round {}, {}: {}",
        wrong.flow, with_commas(wrong.operation), with_commas(wrong.operation_all), bytes_text(wrong.bytes),
        bytes_text(wrong.bytes_all), lasting(wrong.seconds), with_commas(wrong.round), wrong.beside,
        wrong.detail);
}

std::string soak_text(const Soak& soak) {
    const std::string lasted =
        soak.cut_short.empty()
            ? lasting(soak.seconds)
            : format("{} after {} of {}", soak.cut_short, lasting(soak.seconds), lasting(soak.planned_s));
    if (soak.firsts.empty())
        return format("{}, {} rounds, {} operations, {} verified, {} wrong", lasted, with_commas(soak.rounds),
                      with_commas(soak.operations), bytes_text(soak.bytes), with_commas(soak.wrong));
    const std::size_t more = soak.firsts.size() - 1;
    return format("wrong {} of {}: {}{}; {}, {} rounds", with_commas(soak.wrong),
                  with_commas(soak.operations), wrong_text(soak.firsts.front()),
                  more == 0 ? "" : format("; and {} other pairs", more), lasted, with_commas(soak.rounds));
}

double rate_at_most(std::uint64_t clean_operations) {
    return clean_operations == 0 ? 1 : -std::expm1(std::log(0.05) / static_cast<double>(clean_operations));
}

double chance_to_see(std::uint64_t one_in, std::uint64_t operations) {
    if (one_in <= 1) return operations > 0 ? 1 : 0;
    return -std::expm1(static_cast<double>(operations) * std::log1p(-1 / static_cast<double>(one_in)));
}

nlohmann::json to_json(const Soak& soak) {
    nlohmann::json pairs = nlohmann::json::array(), firsts = nlohmann::json::array();
    for (const SoakPair& pair : soak.pairs) pairs.push_back(to_json(pair));
    for (const SoakWrong& wrong : soak.firsts) firsts.push_back(to_json(wrong));
    return {{"seed", soak.seed},
            {"planned_s", soak.planned_s},
            {"seconds", soak.seconds},
            {"rounds", soak.rounds},
            {"operations", soak.operations},
            {"bytes", soak.bytes},
            {"wrong", soak.wrong},
            {"cut_short", printable(soak.cut_short, 256)},
            {"pairs", pairs},
            {"firsts", firsts},
            {"before", list_of(soak.before)},
            {"after", list_of(soak.after)}};
}

Soak soak_from(const Member& json) {
    Soak soak{.seed = static_cast<std::uint32_t>(json.integer("seed", 0, 0xffffffff)),
              .planned_s = static_cast<int>(json.integer("planned_s", 0, most_soak_s)),
              .seconds = json.number("seconds"),
              .rounds = json.natural("rounds"),
              .operations = json.natural("operations"),
              .bytes = json.natural("bytes"),
              .wrong = json.natural("wrong"),
              .cut_short = json.string("cut_short"),
              .pairs = {},
              .firsts = {},
              .before = healths_from(json, "before"),
              .after = healths_from(json, "after")};
    for (const Member& pair : json.list("pairs")) soak.pairs.push_back(pair_from(pair));
    for (const Member& wrong : json.list("firsts")) soak.firsts.push_back(wrong_from(wrong));
    if (soak.pairs.size() > most_pairs || soak.firsts.size() > most_pairs)
        json.fail("is of more pairs than 64 GPUs have");
    // Numbers that contradict each other would be believed by whoever reads only one of them.
    std::uint64_t operations = 0, wrong = 0, bytes = 0;
    for (const SoakPair& pair : soak.pairs) {
        operations += pair.all_operations();
        wrong += pair.all_wrong();
        bytes += pair.bytes;
    }
    if (operations != soak.operations || wrong != soak.wrong || bytes != soak.bytes)
        json.fail("has pairs that do not add up to it");
    if (soak.wrong > 0 && soak.firsts.empty()) json.fail("has wrong operations and names none");
    return soak;
}

}  // namespace peerproof
