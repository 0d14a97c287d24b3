// The figures of the pairs as text: a table, notes beside it, and what bandwidth can tell of the road here.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/measurements.hpp"

namespace peerproof {

// "bandwidth cannot tell the roads apart here: a staged copy is 0.97 of a direct one, 0.67 both ways at
// once", over all pairs, and why where no pair has a direct road at all; empty where nothing was measured.
std::string discrimination_sentence(const std::vector<PairFigures>& pairs);

// For the text report: a table of the pairs, 80 columns wide, and sentences beside it. None where there are
// no figures.
std::vector<std::string> figure_table(const Ledger& ledger);
std::vector<std::string> figure_notes(const Ledger& ledger);

}  // namespace peerproof
