// The words that pass between the programs of peerproof, as types.
//
//   to_string(Outcome::illegal_address)  -> "illegal_address"
//   parse_outcome("illegal_address")     -> Outcome::illegal_address; unknown words give nullopt
//
// What an outcome means for the bench is said in reports/judging/judge.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peerproof {

// What was observed, whatever was expected.
enum class Outcome {
    delivered,        // the owner of the destination found the stamp in every byte
    illegal_address,  // a kernel's access was refused by the hardware (CUDA error 700)
    refused,          // an API call said no
    missing,          // success was reported and the poison is intact: nothing arrived
    wrong,            // success was reported and the destination holds other bytes
    hung,             // the deadline passed
    crashed,          // the process ended without saying how its check ended
    unkillable,       // the process did not end even by SIGKILL
    inconclusive,     // the check could not be set up: memory, busy, exclusive mode
    other_path,       // the values are right, and came by a path that was forbidden (collective)
    not_started,      // its GPUs did not answer after an earlier case: nothing is known of this one
    not_applicable,  // the hardware says itself that it does not do this; nobody tried (beside the core only)
};
inline constexpr int outcome_count = 12;

// What a person says should be there: of every pair the same, or of each pair what a file says
// (session/baseline.hpp).
enum class Expectation { open, locked, baseline };

// The kinds of case, in the order in which they run. Controls test the suite and come first; core decides;
// evidence, ways (in which software reaches a peer), measurements and the collective stand beside; the
// crowd lets all GPUs talk at once, the soak goes on with it for a time; again asks some core checks once more when all these have run; closing asks at the end
// whether the GPUs are still there.
enum class Family { control, core, evidence, way, measurement, collective, crowd, soak, again, closing };
bool is_beside_the_core(Family);  // evidence, way, measurement, collective, crowd, soak, again

// How much is measured: full; brief, for a look or a simulated bench; or nothing.
enum class Measurements { full, brief, off };

std::string_view to_string(Outcome);
std::string_view to_string(Expectation);
std::string_view to_string(Family);
std::string_view to_string(Measurements);
std::string words_of(const std::vector<Outcome>&);  // "delivered or refused"; "nothing"
std::optional<Outcome> parse_outcome(std::string_view);
std::optional<Expectation> parse_expectation(std::string_view);
std::optional<Family> parse_family(std::string_view);
std::optional<Measurements> parse_measurements(std::string_view);

}  // namespace peerproof
