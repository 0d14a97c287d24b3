// What a person sets through the environment (README.md has the table). Unknown PEERPROOF_ variables and
// values out of range are errors: a misspelt expectation must never be a quiet default.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "session/ways.hpp"
#include "session/words.hpp"

namespace peerproof {

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Settings {
    std::optional<std::string> bench;  // PEERPROOF_BENCH: name of a simulated bench, or a .toml file
    Expectation expectation = Expectation::open;      // PEERPROOF_EXPECT: open | locked, or a file:
    std::filesystem::path baseline;                   // a .json, a .toml or the folder of a session
    bool self_check = false;                          // PEERPROOF_SELF_CHECK: locked; expects locked, too
    std::optional<int> gpus_wanted;                   // PEERPROOF_GPUS: 2..64
    std::optional<std::filesystem::path> out;         // PEERPROOF_OUT: folder of the sessions
    std::optional<Measurements> measurements;         // PEERPROOF_MEASUREMENTS: full | brief | off
    std::optional<int> large_step_mib;                // PEERPROOF_LARGE_MIB: 1..4096
    bool collective = true;                           // PEERPROOF_COLLECTIVE: on | off
    std::vector<std::string> ways = names_of_ways();  // PEERPROOF_WAYS: on | off | a list of them
    std::vector<std::string> required_ways;           // PEERPROOF_REQUIRE: a list of those that are taken
    // PEERPROOF_CROWD: on | off | seconds; none: as long as is usual, 0: off
    std::optional<int> crowd_s;
    std::optional<int> soak_s;             // PEERPROOF_SOAK: a duration, seconds; none: no soak
    std::filesystem::path sysfs = "/sys";  // PEERPROOF_SYSFS: where sysfs is mounted
    int deadline_s = 60;                   // PEERPROOF_DEADLINE: seconds a case may take, 1..3600
    std::optional<std::string> session;    // PEERPROOF_SESSION: [A-Za-z0-9_-]{1,64}
};

// Of the large step of each core check. A simulated bench moves real bytes by one thread: less says as much.
inline int large_step_mib(const Settings& settings, bool simulated) {
    return settings.large_step_mib.value_or(simulated ? 16 : 256);
}

// Throws UsageError, naming every variable that is wrong and what it may be.
Settings settings_from(char** environment);

}  // namespace peerproof
