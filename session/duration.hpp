// How long something lasts: as a person says it to the suite, and as the suite says it to a person.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace peerproof {

inline constexpr int most_soak_s = 7 * 24 * 3600;
inline constexpr const char* durations_allowed =
    "a duration from 1s to 7d: a whole number and s, m, h or d, as in 90s, 10m, 2h or 1d";
// "90s", "10m", "2h", "1d": seconds, from 1 s to 7 days. None for any other text.
std::optional<int> parse_duration(std::string_view text);

// "45 s", "2 min 05 s", "1 h 10 min"; a part of a second counts as a whole one.
std::string duration_text(double seconds);

}  // namespace peerproof
