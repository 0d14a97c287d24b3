#include "simulator/health.hpp"

#include <algorithm>

#include "simulator/history.hpp"

namespace peerproof::simulated {
namespace {

// All that the paths from and to this GPU have carried in the session.
std::uint64_t carried(const Bench& bench, const History& history, int gpu) {
    std::uint64_t bytes = 0;
    for (int other = 0; other < bench.count; ++other)
        bytes += history.bytes[gpu][other].load() + history.bytes[other][gpu].load();
    return bytes;
}

double gib_of(std::uint64_t bytes) { return static_cast<double>(bytes) / static_cast<double>(1 << 30); }

}  // namespace

double temperature(const Bench& bench, const History& history, int gpu) {
    const Health& health = bench.gpus[gpu].health;
    const double seconds = static_cast<double>(now_ns() - history.began_ns.load()) / 1e9;
    return std::min(health.temperature + health.temperature_per_s * seconds +
                        health.temperature_per_gib * gib_of(carried(bench, history, gpu)),
                    health.most_temperature);
}

bool is_throttled(const Bench& bench, const History& history, int gpu) {
    return temperature(bench, history, gpu) > bench.gpus[gpu].health.throttles_above;
}

std::uint64_t counter(const Bench& bench, const History& history, int gpu, Counter which) {
    const Health& health = bench.gpus[gpu].health;
    const int row = static_cast<int>(which);
    return static_cast<std::uint64_t>(health.starts[row] +
                                      health.per_gib[row] * gib_of(carried(bench, history, gpu)));
}

bool had_xid(const Bench& bench, const History& history, int gpu) {
    const Health& health = bench.gpus[gpu].health;
    return health.xid != 0 && carried(bench, history, gpu) >= health.xid_after;
}

}  // namespace peerproof::simulated
