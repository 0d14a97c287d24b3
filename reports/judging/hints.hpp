// What the driver said of each window, beside what got through it. A window is one GPU's access to the
// memory of another: loads through it are the read check of owner->actor, stores the write check of
// actor->owner.
//
// A hint is no evidence and decides nothing.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

struct Window {
    int actor = 0;
    int owner = 0;
    // "yes", "no", an error, "yes / no" where the answer changed; empty where it was never asked.
    std::string capability;
    std::string enabling;  // "0 cudaSuccess", "101 cudaErrorInvalidDevice"; empty if never tried
    // NVML's word for reads and writes: "OK", "CNS", "OK / NS"; empty where it does not say.
    std::string status;
    int nvlinks = 0;      // of the actor that are active and lead to the owner, or to a switch
    int tried = 0;        // read and write checks through it that have a record
    bool loads = false;   // the read check delivered
    bool stores = false;  // the write check delivered

    bool enabled() const;
};

// Every window between two GPUs of the plan, by actor and then by owner.
std::vector<Window> windows_of(const Ledger& ledger);

// Where a hint and the truth, or two hints, contradict each other: one finding a kind.
std::vector<Finding> hints_against_truth(const Ledger& ledger);

// Every hint of the machine, the GPUs and the pairs, a line each; what is the same in several places is said
// once.
std::vector<std::string> hint_lines(const Ledger& ledger);

}  // namespace peerproof
