// How long a GPU may take to say that it is well: a sixth of what a case may take, so that asking costs
// little beside the hang that made us ask. A context that is made anew takes under a second; a busy machine
// gets three.
#pragma once

#include <algorithm>

namespace peerproof::supervise {

inline constexpr double least_health_s = 3, most_health_s = 10;

constexpr double health_limit_s(double case_deadline_s) {
    return std::min(case_deadline_s, std::clamp(case_deadline_s / 6, least_health_s, most_health_s));
}

}  // namespace peerproof::supervise
