// What is read of a GPU's health, as the bench says it: readings, and counters that rise with what the paths of the
// GPU have carried in the session. NVML and the sysfs tree serve it; [[when]] above_c asks it.
#pragma once

#include <cstdint>

namespace peerproof::simulated {

enum class Counter : std::uint8_t {
    pcie_replays,
    ecc_corrected,
    ecc_uncorrected,
    nvlink_replays,
    aer_correctable,
    aer_nonfatal,
    aer_fatal,
    aer_port_correctable  // of the port above
};
inline constexpr int counters = 8;

struct Health {
    bool nvml = true, aer = true;  // whether NVML has readings, and sysfs counters of errors
    double temperature = 40, temperature_per_gib = 0, temperature_per_s = 0, most_temperature = 95;  // C
    int sm_clock = 1980, memory_clock = 2619;                                                        // MHz
    double power = 350;                                                                              // W
    double throttles_above = 200;  // C; then the SM clock is half of it
    double starts[counters] = {}, per_gib[counters] = {};
    int xid = 0;  // 0: none
    std::uint64_t xid_after = 0;
};

// Of a GPU, in the session: what its paths have carried, and for how long it lasts.
struct SoFar {
    std::uint64_t bytes;
    double seconds;
};

double temperature(const Health&, const SoFar&);
bool is_throttled(const Health&, const SoFar&);
std::uint64_t counter(const Health&, const SoFar&, Counter);
bool had_xid(const Health&, const SoFar&);

}  // namespace peerproof::simulated
