// What the all-reduces over NCCL say, beside the core: one line for the verdict, a section for the reports, and
// findings. Pure.
//
//   collective_line(ledger)      // "2 of 2 all-reduces held over P2P", "not run: libnccl.so.2 was not found"
//
// A fail-closed all-reduce that does not hold contradicts a bench whose core is open, unless its control does not
// hold either: then NCCL itself does not work here, and its all-reduces say nothing. What NCCL takes by default is
// information.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// One line, without a line break; empty without a plan.
std::string collective_line(const Ledger& ledger);

// Which paths were taken, by check and place, a line each.
std::vector<std::string> collective_paths(const Ledger& ledger);

// The all-reduces without P2P that ran and did not hold: what NCCL then says of P2P is nothing.
std::vector<const Ledger::Entry*> broken_controls(const Ledger& ledger);

void collective_findings(const Ledger& ledger, std::vector<Finding>& findings);

}  // namespace peerproof
