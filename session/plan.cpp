#include "session/plan.hpp"

#include <algorithm>

#include "session/duration.hpp"
#include "session/earlier_words.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/ways.hpp"

namespace peerproof {
namespace {

constexpr std::size_t file_limit = 16 * 1024 * 1024;

Gpu gpu_from(const Member& json) {
    return {.index = static_cast<int>(json.integer("index", 0, 1023)),
            .uuid = json.string("uuid"),
            .bus_id = json.string("bus_id"),
            .name = json.string("name"),
            .memory_bytes = json.natural("memory_bytes"),
            .compute_capability = json.string("compute_capability")};
}

std::map<std::string, std::string> texts_from(const Member& root, const char* key) {
    const Member object = root.at(key);
    if (!object.json().is_object()) object.fail("must be an object");
    std::map<std::string, std::string> texts;
    for (const auto& [name, value] : object.json().items()) texts[name] = object.string(name.c_str());
    return texts;
}

// Of a plan in which checks had no titles: "staged_copy" is "Staged copy".
std::string title_of(std::string check) {
    std::replace(check.begin(), check.end(), '_', ' ');
    if (!check.empty() && check[0] >= 'a' && check[0] <= 'z')
        check[0] = static_cast<char>(check[0] - 'a' + 'A');
    return check;
}

nlohmann::json baseline_json(const std::optional<Baseline>& baseline) {
    if (!baseline) return {};
    nlohmann::json differs = nlohmann::json::array();
    for (const std::string& line : baseline->differs) differs.push_back(printable(line, 4096));
    return {{"file", printable(baseline->file, 4096)},
            {"of", printable(baseline->of, 4096)},
            {"differs", differs}};
}

}  // namespace

const Case* Plan::find(std::string_view case_id) const {
    const auto found =
        std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.id == case_id; });
    return found == cases.end() ? nullptr : &*found;
}

int deadline_of(const Plan& plan, const Case& one) {
    return plan.deadline_s + (one.family == Family::soak ? plan.soak_s : 0);
}

std::string place_name(const std::vector<int>& gpus) {
    std::string name;
    for (const int gpu : gpus) name += format("{}gpu{}", name.empty() ? "" : "_to_", gpu);
    return name;
}

std::string case_id(Family family, std::string_view check, std::string_view place) {
    return format("{}.{}.{}", to_string(family), check, place);
}

Case case_from(const Member& json, bool is_before_version_4) {
    Case made{.id = json.string("id"),
              .test = json.string("test"),
              .family = {},
              .check = json.string("check"),
              .gpus = json.indices("gpus"),
              .accepted = {},
              .after = json.strings("after"),
              .gates = json.boolean("gates")};
    made.title = is_before_version_4 ? title_of(made.check) : json.string("title");
    made.number = is_before_version_4 ? 0 : static_cast<int>(json.integer("number", 0, most_checks));
    if (made.title.empty()) json.at("title").fail("must not be empty");
    constexpr auto allowed = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    if (made.id.empty() || made.id.size() > 200 || made.id.find_first_not_of(allowed) != std::string::npos ||
        made.id.front() == '.') {
        json.at("id").fail("must be 1 to 200 of [a-z0-9_.], not beginning with a dot");
    }
    const auto family = parse_family(json.string("family"));
    if (!family)
        json.at("family").fail(
            "must be control, core, evidence, way, measurement, collective, crowd, soak, again or closing");
    made.family = *family;
    for (const std::string& word : json.strings("accepted")) {
        const auto outcome = parse_outcome(word);
        if (!outcome) json.at("accepted").fail("holds an unknown outcome: " + printable(word, 60));
        made.accepted.push_back(*outcome);
    }
    return made;
}

nlohmann::json to_json(const Case& one) {
    nlohmann::json accepted = nlohmann::json::array();
    for (const Outcome outcome : one.accepted) accepted.push_back(to_string(outcome));
    return {{"id", one.id},
            {"test", one.test},
            {"family", to_string(one.family)},
            {"check", one.check},
            {"title", printable(one.title, 200)},
            {"number", one.number},
            {"gpus", one.gpus},
            {"accepted", accepted},
            {"after", one.after},
            {"gates", one.gates}};
}

std::string place_of(const Case& one) { return one.id.substr(one.id.rfind('.') + 1); }

nlohmann::json to_json(const Plan& plan) {
    nlohmann::json gpus = nlohmann::json::array();
    for (const Gpu& gpu : plan.gpus) {
        gpus.push_back({{"index", gpu.index},
                        {"uuid", gpu.uuid},
                        {"bus_id", gpu.bus_id},
                        {"name", printable(gpu.name, 256)},
                        {"memory_bytes", gpu.memory_bytes},
                        {"compute_capability", gpu.compute_capability}});
    }
    nlohmann::json cases = nlohmann::json::array();
    for (const Case& one : plan.cases) cases.push_back(to_json(one));
    nlohmann::json environment = nlohmann::json::object();
    for (const auto& [name, value] : plan.environment)
        environment[printable(name, 128)] = printable(value, 4096);
    nlohmann::json not_run = nlohmann::json::object();
    for (const auto& [name, why] : plan.not_run) not_run[printable(name, 128)] = printable(why, 4096);
    nlohmann::json links = nlohmann::json::array(), hints = nlohmann::json::array();
    for (const GpuLinks& gpu : plan.links) links.push_back(to_json(gpu));
    for (const Hint& hint : plan.hints) hints.push_back(to_json(hint));
    nlohmann::json json{
        {"schema", plan_schema.name()},
        {"session", plan.session},
        {"run", plan.run},
        {"suite", plan.suite},
        {"started", plan.started},
        {"expectation", to_string(plan.expectation)},
        {"baseline", baseline_json(plan.baseline)},
        {"self_check", plan.self_check},
        {"gpus_wanted", plan.gpus_wanted ? nlohmann::json(*plan.gpus_wanted) : nlohmann::json()},
        {"simulated", plan.simulated ? nlohmann::json(*plan.simulated) : nlohmann::json()},
        {"deadline_s", plan.deadline_s},
        {"measurements", to_string(plan.measurements)},
        {"large_step_mib", plan.large_step_mib},
        {"not_run", not_run},
        {"links", links},
        {"hints", hints},
        {"environment", environment},
        {"gpus", gpus},
        {"cases", cases}};
    if (plan.crowd_s > 0) json["crowd_s"] = plan.crowd_s;
    if (plan.soak_s > 0) json["soak_s"] = plan.soak_s;
    if (!plan.required_ways.empty()) json["required_ways"] = plan.required_ways;
    return json;
}

Plan plan_from_json(const nlohmann::json& json, std::string_view origin) {
    const Document document(json, origin, plan_schema);
    const Member root = document.root();
    const bool is_of_version_2 = document.version() == 2;
    Plan plan;
    plan.session = root.string("session");
    plan.run = static_cast<std::uint32_t>(root.integer("run", 0, 0xffffff));
    plan.suite = root.string("suite");
    plan.started = root.string("started");
    const auto expectation = parse_expectation(root.string("expectation"));
    if (!expectation) root.at("expectation").fail("must be open, locked or baseline");
    plan.expectation = *expectation;
    if ((plan.expectation == Expectation::baseline) == root.is_null("baseline"))
        root.fail("expects what a baseline says, and has none, or the other way round");
    if (!root.is_null("baseline")) {
        const Member baseline = root.at("baseline");
        plan.baseline = Baseline{baseline.string("file"), baseline.string("of"), baseline.strings("differs")};
    }
    plan.self_check = root.boolean("self_check");
    if (!root.is_null("gpus_wanted"))
        plan.gpus_wanted = static_cast<int>(root.integer("gpus_wanted", 0, 1024));
    if (!root.is_null("simulated")) plan.simulated = root.string("simulated");
    plan.deadline_s = static_cast<int>(root.integer("deadline_s", 1, 3600));
    const auto measurements = parse_measurements(root.string("measurements"));
    if (!measurements) root.at("measurements").fail("must be full, brief or off");
    plan.measurements = *measurements;
    plan.large_step_mib =
        is_of_version_2 ? 0 : static_cast<int>(root.integer("large_step_mib", 0, most_large_step_mib));
    if (!root.is_null("soak_s")) plan.soak_s = static_cast<int>(root.integer("soak_s", 1, most_soak_s));
    if (!root.is_null("crowd_s")) plan.crowd_s = static_cast<int>(root.integer("crowd_s", 1, most_crowd_s));
    if (!root.is_null("required_ways")) {
        plan.required_ways = root.strings("required_ways");
        if (!std::all_of(plan.required_ways.begin(), plan.required_ways.end(), is_way))
            root.at("required_ways").fail("holds an unknown way");
    }
    plan.environment = texts_from(root, "environment");
    plan.not_run = texts_from(root, "not_run");
    for (const Member& gpu : root.list("links")) plan.links.push_back(gpu_links_from(gpu, is_of_version_2));
    for (const Member& hint : root.list("hints")) plan.hints.push_back(hint_from(hint));
    for (const Member& gpu : root.list("gpus")) plan.gpus.push_back(gpu_from(gpu));
    for (std::size_t i = 0; i < plan.gpus.size(); ++i) {
        if (plan.gpus[i].index != static_cast<int>(i))
            root.at("gpus").fail("must be listed by index, 0 first");
    }
    for (const Member& one : root.list("cases")) {
        plan.cases.push_back(case_from(one, document.version() < 4));
        for (const int gpu : plan.cases.back().gpus) {
            if (gpu >= static_cast<int>(plan.gpus.size()))
                one.at("gpus").fail("names a GPU that is not in the plan");
        }
    }
    return plan;
}

Plan read_plan(const std::filesystem::path& file) {
    return plan_from_json(read_json(file, file_limit), file.string());
}

}  // namespace peerproof
