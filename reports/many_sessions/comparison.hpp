// What changed between two sessions of one bench: for a patched driver, another BIOS, a GPU in another slot.
// Pure, but for reading them.
//
//   const Judged before = read_judged("runs/monday"), after = read_judged("runs/tuesday/report.json");
//   const Comparison comparison = compare(before, after);
//   comparison.worse()      // whether anything changed for the worse
//
// Checks flip, verdicts change, measurements move: worse, better, or neither. A measurement has moved where the two
// spreads (5th to 95th percentile) do not meet. What the machine says of itself (driver, kernel, BIOS, hints)
// differs, and is neither.
//
// Errors: FormatError where a session cannot be read. Which sessions may be compared is
// why_not_comparable()'s to say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"

namespace peerproof {

struct Judged {
    std::string origin;  // what the person named
    Session session;
    Verdict verdict;
    std::string no_verdict_of_its_own;  // why; empty where it has one, and its files still say the same
};

// A session's folder, or the report.json of one. Judged anew, and not believed where that is not what its
// report says. Nor is it believed where there is no report: the test named verdict did not come to its end,
// so that nobody knows what else did not. Both are no_verdict, with that as the reason.
Judged read_judged(const std::filesystem::path& path);

// The better a bench is called, the higher; what is as expected is above what is not.
int rank_of(const Verdict& verdict);
// A way that delivers is better than one that says no, and that is better than one that lies or is not known.
int goodness_of(const Ledger::Entry& entry);

enum class Effect { worse, better, other };

struct Change {
    std::string kind;   // "verdict", "check", "measurement", "environment", "hint"
    std::string where;  // "core.read.gpu0_to_gpu1", "driver_version"
    std::string before, after;
    Effect effect = Effect::other;
};

struct Comparison {
    std::string before, after;  // what was compared: origin and session
    std::string banner;         // SIMULATED and SELF-CHECK of either
    VerdictWord verdict_before{}, verdict_after{};
    std::vector<Change> changes;  // verdict first, then checks, measurements, environment and hints

    bool worse() const;
    std::size_t count(Effect effect) const;
};

// Why the two say nothing of each other: other GPUs (by UUID), a simulated bench and a real one; empty where
// they do.
std::string why_not_comparable(const Judged& before, const Judged& after);

Comparison compare(const Judged& before, const Judged& after);

std::string comparison_text(const Comparison&);
std::string comparison_markdown(const Comparison&);
std::string comparison_json(const Comparison&);
std::string comparison_html(const Comparison&);

}  // namespace peerproof
