// The two paths of a directed pair, as a row of stops with the stretches between them: direct, through
// whatever the two GPUs share, and staged, through host memory, as reports/judging/ceilings.hpp computes them.
//
//   const Paths paths = paths_between(ledger, 0, 1);
//   if (paths.direct.ceiling()) ...     // GB/s (1e9), one way
//
// What is not known stays so: a path without its hops has no stops and says why.
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

struct Path {
    std::vector<std::string> stops;
    std::vector<Stretch> stretches;  // one fewer than stops
    std::string unknown;             // why its ceiling is not known, or why it could not be drawn
    std::optional<double> limit;     // as reports/judging/ceilings.hpp has it

    std::optional<double> ceiling() const { return limit; }
    std::optional<std::size_t> narrowest() const;  // its place in stretches
};

struct Paths {
    Path direct, staged;

    // near 1: a copy's speed cannot tell the paths apart; none where a ceiling is unknown
    std::optional<double> ratio() const;
};

Paths paths_between(const Ledger& ledger, int source, int destination);

// Pairs whose paths have the same stops and ceilings.
struct PathGroup {
    Paths paths;
    std::vector<std::pair<int, int>> pairs;
};
std::vector<PathGroup> path_groups(const Ledger& ledger);

}  // namespace peerproof::html
