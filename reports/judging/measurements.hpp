// What the figures of a session say beside the core, and what they may not say. Pure.
//
//   const std::vector<PairFigures> pairs = figures_of(ledger);   // one for each directed pair, with ceilings
//   figure_findings(ledger, findings);
//
// Above its hard limit a figure is impossible, and peer memory that answers as fast as the card's own is
// local: both turn an open verdict into suspect, as does a figure whose bytes are not there. A staged figure
// says nothing of peer access, so that an impossible one contradicts nothing. Where a bridge's status says
// less than verified bytes between its card and host memory show, the status is wrong, and no ceiling
// (ceilings.hpp). Below 60 % of its ceiling, or on a link that stays below its maximum under load, a pair is
// slow, and the verdict stays. Nothing here makes a verdict better.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/judging/ceilings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

inline constexpr double slow_share = 0.6;  // of the ceiling

// Whether a speed can say which of two roads it came by, the one being `ratio` of the other: where they
// differ enough, whichever is the faster.
constexpr bool tells_apart(double ratio) { return ratio <= 0.8 || ratio >= 1.25; }

// A figure of a case that delivered, and the case.
struct Measured {
    const Figure* figure = nullptr;
    const Ledger::Entry* entry = nullptr;
    explicit operator bool() const { return figure != nullptr; }
};

// The figure of that name of the case of that check at that place; none where it did not deliver.
Measured measured(const Ledger& ledger, std::string_view check, const std::vector<int>& gpus,
                  std::string_view name = "");

struct PairFigures {
    int source = 0, destination = 0;
    DrawnRoad direct, staged;  // under load where that was read, else idle
    Measured read, write, copy, staged_copy, latency;
    // Of the two cards, whatever the direction.
    Measured both_ways, both_ways_staged, both_ways_read, both_ways_write, ping_pong;
    // Staged over direct, of ceilings and of medians; none where one of them is not known.
    std::optional<double> predicted_ratio, ratio, both_ways_ratio;
    // What staging takes of one full hop after the other: 1 is no overlap at all, up to 2 where both hops
    // overlap.
    std::optional<double> pipelining;
    bool closed = false;          // its core read and write, from the first word on
    bool reverse_closed = false;  // those of the other direction
};

std::vector<PairFigures> figures_of(const Ledger& ledger);

// The links of these cards as they were read while figures were measured, each once: the fastest reading of
// it. A reading that came after the last byte shows a link that idles again.
std::vector<LinkUnderLoad> loads_of(const Ledger& ledger, const std::vector<int>& gpus);

// "bandwidth cannot tell the roads apart here: a staged copy is 0.97 of a direct one, 0.67 both ways at
// once", over all pairs, and why where no pair has a direct road at all; empty where nothing was measured.
std::string discrimination_sentence(const std::vector<PairFigures>& pairs);

// The figures in GB/s of each card's host link that delivered, and the links under load.
Observed observed(const Ledger& ledger);

// What a figure in GB/s of these two cards can be at most: of the road that its bytes take, twice that for
// both ways at once. A copy on a closed pair is staged, whatever it was asked for.
Ceiling ceiling_of(const PairFigures& pair, std::string_view check);
// The ceiling of any figure: of a pair, or of a card's host link. None where there is nothing to compare it
// with (a latency, the card's own memory).
std::optional<Ceiling> ceiling_of(const Ledger& ledger, const std::vector<PairFigures>& pairs, const Case& of,
                                  const Figure& figure);

void figure_findings(const Ledger& ledger, std::vector<Finding>& findings);

// For the text report: a table of the pairs, 80 columns wide, and sentences beside it. None where there are
// no figures.
std::vector<std::string> figure_table(const Ledger& ledger);
std::vector<std::string> figure_notes(const Ledger& ledger);

}  // namespace peerproof
