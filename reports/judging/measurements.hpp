// What the measurements of a session say beside the core, and what they may not say. Pure.
//
//   const std::vector<PairMeasurements> pairs = measurements_of(ledger);   // one for each directed pair, with ceilings
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/judging/ceilings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

inline constexpr double slow_share = 0.6;  // of the ceiling

// Whether a speed can say which of two paths it came by, the one being `ratio` of the other: where they
// differ enough, whichever is the faster.
constexpr bool tells_apart(double ratio) { return ratio <= 0.8 || ratio >= 1.25; }

// A measurement of a case that delivered, and the case.
struct Measured {
    const Measurement* measurement = nullptr;
    const Ledger::Entry* entry = nullptr;
    explicit operator bool() const { return measurement != nullptr; }
};

// The measurement of that name of the case of that check at that place; none where it did not deliver.
Measured measured(const Ledger& ledger, std::string_view check, const std::vector<int>& gpus,
                  std::string_view name = "");

struct PairMeasurements {
    int source = 0, destination = 0;
    DrawnPath direct, staged;  // under load where that was read, else idle
    Measured read, write, copy, staged_copy, latency;
    // Of the two GPUs, whatever the direction.
    Measured bidirectional, bidirectional_staged, bidirectional_read, bidirectional_write, ping_pong;
    // Staged over direct, of ceilings and of medians; none where one of them is not known.
    std::optional<double> predicted_ratio, ratio, bidirectional_ratio;
    // What staging takes of one full hop after the other: 1 is no overlap at all, up to 2 where both hops
    // overlap.
    std::optional<double> pipelining;
    bool closed = false;          // its core read and write, from the first word on
    bool reverse_closed = false;  // those of the other direction
};

std::vector<PairMeasurements> measurements_of(const Ledger& ledger);

// The links of these GPUs as they were read while measurements were taken, each once: the fastest reading of
// it. A reading that came after the last byte shows a link that idles again.
std::vector<LinkUnderLoad> loads_of(const Ledger& ledger, const std::vector<int>& gpus);

// The measurements in GB/s of each GPU's host link that delivered, and the links under load.
Observed observed(const Ledger& ledger);

// What a measurement in GB/s of these two GPUs can be at most: of the path that its bytes take, twice that for
// in both directions at once. A copy on a closed pair is staged, whatever it was asked for.
Ceiling ceiling_of(const PairMeasurements& pair, std::string_view check);
// The ceiling of any measurement: of a pair, or of a GPU's host link. None where there is nothing to compare it
// with (a latency, the GPU's own memory).
std::optional<Ceiling> ceiling_of(const Ledger& ledger, const std::vector<PairMeasurements>& pairs,
                                  const Case& of, const Measurement& measurement);

}  // namespace peerproof
