// The plan of a session: which bench, which cases, what is expected of each. `conformance --open` writes it
// as <session folder>/plan.json; every case, supervise and the judge read it.
//
// JSON, schema "peerproof.plan/4" (3 and 2 are read as well; see session/README.md for an example). Reading is
// strict: a missing or mistyped member, an unknown word or a file above 16 MiB throws FormatError, which
// names file and member.
//
// What happened is in the records (session/record.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "session/links.hpp"
#include "session/record.hpp"
#include "session/soak.hpp"
#include "session/words.hpp"

namespace peerproof {

struct Gpu {
    int index = 0;       // its place in the plan, 0..n-1, in the order of PCI bus ids
    std::string uuid;    // "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
    std::string bus_id;  // "0000:01:00.0"
    std::string name;    // as the driver says it: any bytes, never markup
    std::uint64_t memory_bytes = 0;
    std::string compute_capability;  // "9.0"
};

struct Case {
    std::string id;    // "core.read.gpu0_to_gpu1": the CTest name and the name of its record
    std::string test;  // "Core/Read.Arrives/gpu0_to_gpu1": the GoogleTest name
    Family family{};
    std::string check;               // "read"
    std::vector<int> gpus;           // plan indices: {source, destination} for a pair, {gpu} for one GPU,
                                     // all of them for the bench
    std::vector<Outcome> accepted;   // outcomes that hold under the expectation of this session
    std::vector<std::string> after;  // ids of cases that must have ended first
    bool gates = true;       // false: information; an outcome that is not accepted is a finding, no failure
    std::string title = {};  // of the check, for a person: "Kernel on A writes B's memory"
    int number = 0;  // of the check, in every stamp and the order of reports; 0: a plan before version 4
};

// The file that says what is expected of each pair, where there is one.
struct Baseline {
    std::string file;  // as it was named, made absolute
    std::string of;    // "session 20261201T051500Z-3f2a9c, verdict partial", "written by hand"
    std::vector<std::string> differs;  // where its fingerprint is not that of this bench, a line each
};

inline constexpr int most_large_step_mib = 4096;
inline constexpr int most_crowd_s = 600;
inline constexpr int most_checks = 250;  // numbers that a stamp has room for, 1 being the first

struct Plan {
    std::string session;                   // "20261201T051500Z-3f2a9c"
    std::uint32_t run = 0;                 // 24-bit number in every stamp of this session
    std::string suite;                     // version of peerproof
    std::string started;                   // UTC, ISO 8601
    Expectation expectation{};             // what the person expects
    std::optional<Baseline> baseline;      // where that is in a file
    bool self_check = false;               // nobody enables peer access: any bench must look locked
    std::optional<int> gpus_wanted;        // PEERPROOF_GPUS
    std::optional<std::string> simulated;  // name of the simulated bench; none on a real one
    int deadline_s = 60;                   // of one case, seconds
    Measurements measurements = Measurements::full;
    int large_step_mib = 256;                // of the large step of each core check, every byte of it
    int crowd_s = 0;                         // of the crowd at least; 0: as few rounds as there may be
    int soak_s = 0;                          // of the soak; 0: there is none, or by hand one round
    std::vector<std::string> required_ways;  // that must deliver on every pair: PEERPROOF_REQUIRE
    // What has no cases, and why: {"collective", "no libnccl.so.2"}.
    std::map<std::string, std::string> not_run;
    std::vector<GpuLinks> links;  // of each GPU, idle
    std::vector<Hint> hints;      // of the machine, the GPUs and the pairs; cases add their own
    // host, kernel, driver_version, ...: printed, and never decides.
    std::map<std::string, std::string> environment;
    std::vector<Gpu> gpus;
    std::vector<Case> cases;

    const Case* find(std::string_view case_id) const;
};

// Seconds that the case may take: the plan's deadline, and what it was asked to last.
int deadline_of(const Plan&, const Case&);

// "gpu0_to_gpu1" for a directed pair, "gpu0" for one GPU.
std::string place_name(const std::vector<int>& gpus);
// "core.read.gpu0_to_gpu1". No other line of the suite composes an id.
std::string case_id(Family family, std::string_view check, std::string_view place);
// The last part of the id: besides these, "gpu0_gpu1" for two GPUs in no direction, "bench" for all.
std::string place_of(const Case&);

nlohmann::json to_json(const Case&);
Case case_from(const Member&, bool is_before_version_4 = false);
nlohmann::json to_json(const Plan&);
Plan plan_from_json(const nlohmann::json&, std::string_view origin);  // origin: the file named in errors
Plan read_plan(const std::filesystem::path& file);

}  // namespace peerproof
