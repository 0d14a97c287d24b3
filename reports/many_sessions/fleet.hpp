// Many benches at a glance, the worst first: for a lab's page, and for jobs that ran on many nodes. A bench
// that cannot be read is a row of its own, and the worst of all.
//
//   const Fleet fleet = read_fleet({"runs/a", "runs/b"});
//   write_fleet(fleet, "fleet");     // fleet.txt, fleet.html, fleet.json, junit.xml
//   return fleet.exit_code();
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/many_sessions/comparison.hpp"

namespace peerproof {

struct FleetBench {
    std::string origin;
    std::optional<Judged> judged;  // none where it could not be read
    std::string trouble;           // why

    std::string host() const;
    int rank() const;  // the lower, the worse
    int exit_code() const;
};

struct Fleet {
    std::vector<FleetBench> benches;  // worst first
    // The same bench twice, versions that differ, simulated benches among real ones.
    std::vector<std::string> remarks;

    int exit_code() const;  // the worst: 75, 1, 0
};

Fleet read_fleet(const std::vector<std::filesystem::path>& paths);

std::string fleet_text(const Fleet&);
std::string fleet_html(const Fleet&);
std::string fleet_json(const Fleet&);
std::string fleet_junit(const Fleet&);

// Throws std::system_error where a file cannot be written.
void write_fleet(const Fleet&, const std::filesystem::path& folder);

}  // namespace peerproof
