// What the judge says of a session, in words and numbers that every writer prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/words.hpp"

namespace peerproof {

enum class VerdictWord { open, locked, partial, silent, hung, suspect, no_verdict };

std::string_view to_string(VerdictWord);
std::optional<VerdictWord> parse_verdict(std::string_view);

// The signature of a session. Failures are what was seen to fail. A check that was not started, could not be
// set up or has no record is none: nothing is known of it. One without a record is in checks and not in
// records.
struct Signature {
    int pairs = 0;
    int checks = 0;
    int failures = 0;
    int records = 0;
    int not_known = 0;

    // "pairs=6 checks=18 failures=1 not_known=9"; what is not known, and the records, only where there is
    // some
    std::string text() const;
    bool operator==(const Signature&) const = default;
};

// Why the verdict is what it is. Where there is none, every reason is listed.
struct Reason {
    std::string kind;  // one word for programs: "control", "missing", "inconclusive", ...
    std::string text;  // one sentence for a person
    std::vector<std::string> cases;
};

// Stands beside the verdict and never makes it better.
struct Finding {
    std::string word;  // "hint against truth", "staged copy", "not run", ...
    std::string text;
    std::vector<std::string> cases;
    bool contradicts_open = false;  // turns open into suspect
};

// A finding's word where the cases of a check did not run; the reports have a line of their own for it.
inline constexpr const char* not_run = "not run";
// They began, and their end was not seen: that is not the same.
inline constexpr const char* unfinished = "unfinished";

struct Verdict {
    VerdictWord word = VerdictWord::no_verdict;
    std::optional<Expectation> expected;  // none without a plan
    std::string expected_text;  // "open", "what FILE says (session ..., verdict partial)", "unknown"
    std::optional<std::string> simulated;  // any trace of a simulated bench, in the plan or in a record
    bool self_check = false;               // peer access was deliberately not enabled
    std::vector<Reason> reasons;
    std::optional<Signature> signature;  // none without a plan
    std::optional<Signature> if_open;    // what the number of GPUs says that it should be
    std::optional<Signature> if_locked;
    // The ids of the core cases that were seen to fail, in the order of the plan.
    std::vector<std::string> failing;
    std::string common_factor;  // of their pairs; empty if nothing fails or nothing could be decided
    std::vector<Finding> findings;
    // Not where a required way did not deliver, or one delivers or lies where a locked bench is expected: the word
    // is the core's, and the run is not as expected.
    bool ways_hold = true;
    bool as_expected = false;
    int exit_code = 75;

    // What must be read before the verdict, a line each: "SIMULATED BENCH locked-x3: says nothing about real
    // hardware", "SELF-CHECK: ..."; mostly nothing.
    std::string banner() const;
};

}  // namespace peerproof
