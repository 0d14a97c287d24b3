// What the ways in which software reaches a peer say, beside the core: one line for the verdict, a table for the
// reports, findings, and why a run is not as expected although its core is. Pure.
//
//   ways_line(ledger)   // "ipc delivered 6/6, vmm refused 6/6 (cuMemSetAccess 801), graph wrong 1/6: gpu0_to_gpu1"
//
// A way that reports success and lies contradicts a bench whose core is open: its bytes are missing or wrong, it hung
// or crashed, or its access ended in an illegal address on a pair whose core delivered. One that an API call
// refused, or that the hardware does not do, accuses nobody. On a pair that is closed the same is honest, an
// illegal address too, and a way that delivers there is a finding. None of it depends on what was expected.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// What became of a way on some of its pairs.
struct WayOutcome {
    std::string outcome;  // a word of outcomes, or "unfinished", "not run"
    std::string error;    // of what was refused: "cuMemSetAccess 801"; else empty
    std::vector<const Ledger::Entry*> entries;

    std::vector<std::string> pairs() const;
};

struct Way {
    std::string name;   // "ipc"
    std::string title;  // for a person
    std::size_t planned = 0;
    bool is_required = false;
    std::vector<WayOutcome> outcomes;  // worst first
};

// Each way that was planned, in the order of the numbers.
std::vector<Way> ways_of(const Ledger& ledger);

// One line, without a line break; empty without a plan.
std::string ways_line(const Ledger& ledger);

void way_findings(const Ledger& ledger, std::vector<Finding>& findings);

// Why the run is not as expected, whatever its core is: a required way did not deliver on every pair, or one
// delivers or lies where a locked bench is expected.
std::vector<Reason> ways_not_as_expected(const Ledger& ledger);

}  // namespace peerproof
