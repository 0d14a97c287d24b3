// The measurements of the pairs as text: a table, notes beside it, and what bandwidth can tell of the path here.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/measurements.hpp"

namespace peerproof {

// "bandwidth cannot tell the paths apart here: a staged copy is 0.97 of a direct one, 0.67 in both directions at
// once", over all pairs, and why where no pair has a direct path at all; empty where nothing was measured.
std::string discrimination_sentence(const std::vector<PairMeasurements>& pairs);

// For the text report: a table of the pairs, 80 columns wide, and sentences beside it. None where there are
// no measurements.
std::vector<std::string> measurement_table(const Ledger& ledger);
std::vector<std::string> measurement_notes(const Ledger& ledger);

}  // namespace peerproof
