// The parts of the text report that follow rows and verdict: matrix, failing cases, controls, findings,
// bench.
#pragma once

#include <string>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

std::string details(const Verdict& verdict, const Ledger& ledger);

// Source by destination, three marks a pair: copy, read, write. Readable without colour.
std::string matrix(const Ledger& ledger);

}  // namespace peerproof
