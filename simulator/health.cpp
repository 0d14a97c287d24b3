#include "simulator/health.hpp"

#include <algorithm>

namespace peerproof::simulated {
namespace {

double gib_of(const SoFar& so_far) {
    return static_cast<double>(so_far.bytes) / static_cast<double>(1 << 30);
}

}  // namespace

double temperature(const Health& health, const SoFar& so_far) {
    return std::min(health.temperature + health.temperature_per_s * so_far.seconds +
                        health.temperature_per_gib * gib_of(so_far),
                    health.most_temperature);
}

bool is_throttled(const Health& health, const SoFar& so_far) {
    return temperature(health, so_far) > health.throttles_above;
}

std::uint64_t counter(const Health& health, const SoFar& so_far, Counter which) {
    const int row = static_cast<int>(which);
    return static_cast<std::uint64_t>(health.starts[row] + health.per_gib[row] * gib_of(so_far));
}

bool had_xid(const Health& health, const SoFar& so_far) {
    return health.xid != 0 && so_far.bytes >= health.xid_after;
}

}  // namespace peerproof::simulated
