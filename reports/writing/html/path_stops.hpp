// The two roads of a directed pair, as a row of stops with the stretches between them: direct, through
// whatever the two cards share, and staged, through host memory, as reports/judging/ceilings.hpp computes them.
//
//   const Roads roads = roads_between(ledger, 0, 1);
//   if (roads.direct.ceiling()) ...     // GB/s (1e9), one way
//
// What is not known stays so: a road without its hops has no stops and says why.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/judging/ledger.hpp"

namespace peerproof::html {

struct Stretch {
    std::string name;               // "Gen4 x16", "NVLink"; empty inside the root complex
    std::optional<double> ceiling;  // GB/s one way; none where it limits nothing or is not known
    bool limits = true;             // false: inside a chip, no number is to be had
};

struct Road {
    std::vector<std::string> stops;
    std::vector<Stretch> stretches;  // one fewer than stops
    std::string unknown;             // why its ceiling is not known, or why it could not be drawn
    std::optional<double> limit;     // as reports/judging/ceilings.hpp has it

    std::optional<double> ceiling() const { return limit; }
    std::optional<std::size_t> narrowest() const;  // its place in stretches
};

struct Roads {
    Road direct, staged;

    // near 1: a copy's speed cannot tell the roads apart; none where a ceiling is unknown
    std::optional<double> ratio() const;
};

Roads roads_between(const Ledger& ledger, int source, int destination);

// Pairs whose roads have the same stops and ceilings.
struct RoadGroup {
    Roads roads;
    std::vector<std::pair<int, int>> pairs;
};
std::vector<RoadGroup> road_groups(const Ledger& ledger);

}  // namespace peerproof::html
