#include "session/settings.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <vector>

#include "session/duration.hpp"
#include "session/format.hpp"
#include "session/nearest.hpp"
#include "session/plan.hpp"

namespace peerproof {
namespace {

constexpr std::string_view prefix = "PEERPROOF_";
constexpr const char* ways_allowed = "on, off, or some of ipc,vmm,pool,graph,atomics,order,widths, each once";
constexpr const char* required_allowed =
    "some of ipc,vmm,pool,graph,atomics,order,widths, each once, that PEERPROOF_WAYS takes, where no locked "
    "bench "
    "is expected";

std::optional<int> whole_number(std::string_view text, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        return std::nullopt;
    return value;
}

bool is_session_id(std::string_view text) {
    constexpr auto allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    return !text.empty() && text.size() <= 64 && text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

Settings settings_from(char** environment) {
    std::map<std::string, std::string> given;
    for (char** entry = environment; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (!text.starts_with(prefix) || equals == std::string_view::npos) continue;
        given.emplace(text.substr(0, equals), text.substr(equals + 1));
    }

    Settings settings;
    std::vector<std::string> wrong;
    // Its earlier name.
    if (const auto earlier = given.find("PEERPROOF_FIGURES"); earlier != given.end()) {
        if (!given.emplace("PEERPROOF_MEASUREMENTS", earlier->second).second)
            wrong.push_back(
                "PEERPROOF_FIGURES: is the earlier name of PEERPROOF_MEASUREMENTS, which is set too");
        given.erase(earlier);
    }
    const auto asked = given.find("PEERPROOF_EXPECT");
    const bool expects_more = asked != given.end() && asked->second != "locked";
    const bool expects_locked =
        given.contains("PEERPROOF_SELF_CHECK") || (asked != given.end() && asked->second == "locked");
    const auto take = [&](const char* name, const char* allowed, auto&& use) {
        const auto found = given.find(name);
        if (found == given.end()) return;
        if (!use(found->second)) wrong.push_back(format("{}='{}': must be {}", name, found->second, allowed));
        given.erase(found);
    };
    take("PEERPROOF_BENCH", "the name of a simulated bench or a .toml file", [&](const std::string& text) {
        settings.bench = text;
        return !text.empty();
    });
    take("PEERPROOF_EXPECT",
         "open, locked, or a file that exists: a report.json, a .toml, a session's folder",
         [&](const std::string& text) {
             std::error_code error;
             const std::filesystem::path file = text;
             if (text == "open" || text == "locked") {
                 settings.expectation = parse_expectation(text).value();
             } else {
                 settings.expectation = Expectation::baseline;
                 settings.baseline = file;
                 const bool is_file = file.extension() == ".json" || file.extension() == ".toml";
                 return std::filesystem::is_directory(file, error) ||
                        (is_file && std::filesystem::exists(file, error));
             }
             return true;
         });
    take("PEERPROOF_GPUS", "a number of GPUs from 2 to 64", [&](const std::string& text) {
        settings.gpus_wanted = whole_number(text, 2, 64);
        return settings.gpus_wanted.has_value();
    });
    take("PEERPROOF_OUT", "a folder", [&](const std::string& text) {
        settings.out = text;
        return !text.empty();
    });
    take("PEERPROOF_MEASUREMENTS", "full, brief or off", [&](const std::string& text) {
        const auto word = parse_measurements(text);
        if (word) settings.measurements = *word;
        return word.has_value();
    });
    take("PEERPROOF_LARGE_MIB", "MiB from 1 to 4096", [&](const std::string& text) {
        settings.large_step_mib = whole_number(text, 1, most_large_step_mib);
        return settings.large_step_mib.has_value();
    });
    take("PEERPROOF_COLLECTIVE", "on or off", [&](const std::string& text) {
        settings.collective = text == "on";
        return text == "on" || text == "off";
    });
    take("PEERPROOF_WAYS", ways_allowed, [&](const std::string& text) {
        if (text == "on") return true;
        const auto some = ways_in(text);
        if (some || text == "off") settings.ways = some.value_or(std::vector<std::string>{});
        return some || text == "off";
    });
    take("PEERPROOF_REQUIRE", required_allowed, [&](const std::string& text) {
        settings.required_ways = ways_in(text).value_or(std::vector<std::string>{});
        const auto is_taken = [&](const std::string& way) {
            return std::find(settings.ways.begin(), settings.ways.end(), way) != settings.ways.end();
        };
        return !expects_locked && !settings.required_ways.empty() &&
               std::all_of(settings.required_ways.begin(), settings.required_ways.end(), is_taken);
    });
    take("PEERPROOF_CROWD", "on, off, or seconds from 1 to 600", [&](const std::string& text) {
        if (text == "on") return true;
        settings.crowd_s = text == "off" ? 0 : whole_number(text, 1, most_crowd_s);
        return settings.crowd_s.has_value();
    });
    take("PEERPROOF_SOAK", durations_allowed, [&](const std::string& text) {
        settings.soak_s = parse_duration(text);
        return settings.soak_s.has_value();
    });
    take("PEERPROOF_SYSFS", "the folder where sysfs is mounted", [&](const std::string& text) {
        settings.sysfs = text;
        return !text.empty();
    });
    take("PEERPROOF_DEADLINE", "seconds from 1 to 3600", [&](const std::string& text) {
        const auto seconds = whole_number(text, 1, 3600);
        if (seconds) settings.deadline_s = *seconds;
        return seconds.has_value();
    });
    take("PEERPROOF_SESSION", "1 to 64 of [A-Za-z0-9_-]", [&](const std::string& text) {
        settings.session = text;
        return is_session_id(text);
    });
    take("PEERPROOF_SELF_CHECK", "locked, and PEERPROOF_EXPECT nothing else", [&](const std::string& text) {
        settings.self_check = true;
        settings.expectation = Expectation::locked;
        return text == "locked" && !expects_more;
    });
    // Set by our own CTest script for the simulated bench, which reads it by itself.
    given.erase("PEERPROOF_SIMULATED_STATE");

    for (const auto& [name, value] : given) {
        wrong.push_back(format(
            "{}: unknown variable (nearest are {})", name,
            join(nearest(name, {"PEERPROOF_BENCH", "PEERPROOF_EXPECT", "PEERPROOF_GPUS", "PEERPROOF_OUT",
                                "PEERPROOF_DEADLINE", "PEERPROOF_SESSION", "PEERPROOF_SELF_CHECK",
                                "PEERPROOF_MEASUREMENTS", "PEERPROOF_COLLECTIVE", "PEERPROOF_WAYS",
                                "PEERPROOF_REQUIRE", "PEERPROOF_CROWD", "PEERPROOF_SOAK",
                                "PEERPROOF_LARGE_MIB", "PEERPROOF_SYSFS"}),
                 ", ")));
    }
    if (!wrong.empty()) throw UsageError(format("environment: {}", join(wrong, "; ")));
    return settings;
}

}  // namespace peerproof
