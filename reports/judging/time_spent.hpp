// Where the time of a session went, from its records: of each family how many cases, their seconds, its share
// of the clock, and the longest. Says nothing of the bench, and decides nothing. Pure.
//
// While several cases ran at once each has its part of that time, so the shares of all families, and that of
// the time in which none ran (ctest between two cases, say), are the whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/judging/ledger.hpp"

namespace peerproof {

struct LongCase {
    std::string id;
    double seconds = 0;
};

struct FamilyTime {
    Family family{};
    int cases = 0;
    double seconds = 0;        // of its cases, one after the other
    double clock_seconds = 0;  // its part of the clock
    std::vector<LongCase> longest;
};

struct CheckTime {
    std::string check;  // "core.read"
    int cases = 0;
    double seconds = 0;
};

struct TimeSpent {
    double clock_seconds = 0;          // from the start of the first case to the end of the last
    double case_seconds = 0;           // of all cases, one after the other
    double idle_seconds = 0;           // of the clock, in which no case ran
    std::vector<FamilyTime> families;  // in their order, those with cases
    std::vector<CheckTime> checks;
    std::vector<LongCase> longest;  // of all

    double share(double seconds) const { return clock_seconds > 0 ? seconds / clock_seconds : 0; }
};

inline constexpr std::size_t longest_shown = 3, longest_of_all = 10;

TimeSpent time_spent(const Ledger& ledger);

// "2026-12-01T05:15:02.341Z", with or without the fraction: seconds since 1970. None where it is no such text.
std::optional<double> seconds_of_utc(std::string_view text);

}  // namespace peerproof
