// What a person expects of each directed pair, from a file: for a bench that is neither all open nor all
// locked. The file is the report.json of an earlier run (or the folder of its session), or a small TOML:
//
//   others = "open"             # of every pair that is not named: open (the default) or locked
//
//   [[pair]]
//   source = "gpu0"             # gpuN, the PCI bus id, or the UUID
//   destination = "gpu2"
//   expect = "locked"           # or an outcome for each check: read = "illegal_address"
//   ipc = "refused"             # of a way in which software reaches a peer, beside either
//   bidirectional = true            # the way back as well (false)
//
// Only what is honest can be expected: delivered, illegal_address, refused; of a way not_applicable as well, and
// an illegal address only where the core is not open. A run that was silent, hung, suspect or without a verdict
// is no baseline, nor is half a window (a check that came part of the way). Of a way of which nothing is said, or
// nothing is known, what an open or a locked pair may give is expected.
//
// GPUs are matched by UUID where both benches have the same ones, and else by their place in the order of
// bus ids; then, and where the driver, the kernel, the boot or NCCL is another, `Plan::baseline->differs`
// says so.
//
// Errors: FormatError, with the file, the place in it, what is wrong and what is allowed.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/fingerprint.hpp"
#include "session/plan.hpp"

namespace peerproof {

// The accepted outcomes of each case where the bench is expected to be locked, by case id.
using AcceptedIfLocked = std::map<std::string, std::vector<Outcome>>;

// `plan.cases` accept what an open bench does; afterwards they accept what is expected.
void expect_locked(const AcceptedIfLocked&, Plan&);
void expect_as_in(const std::filesystem::path& file, const AcceptedIfLocked&, Plan&);

// One directed pair of a file.
struct ExpectedPair {
    Expectation as = Expectation::open;  // open or locked
    bool mixed = false;  // neither: measurements and all-reduces may be what either would give
    std::map<std::string, Outcome> outcomes;  // of single core checks; these win
    std::map<std::string, Outcome> ways;      // of single ways; these win
};
using ExpectedPairs = std::map<std::pair<int, int>, ExpectedPair>;  // by source and destination in `bench`

struct ExpectedBench {
    std::string of;           // as in Baseline
    Fingerprint fingerprint;  // none where the file is written by hand
    Expectation others = Expectation::open;
    ExpectedPairs pairs;
};
// An illegal address on a way of a pair that is open otherwise is a lie of that way, and no file excuses it: the way,
// or none.
std::optional<std::string> way_that_would_lie(const ExpectedPair&);
ExpectedBench expected_by_report(const std::filesystem::path& file, const Plan& bench);
ExpectedBench expected_by_hand(const std::filesystem::path& file, const Plan& bench);

}  // namespace peerproof
