// What became of the soak, where one was asked for: a line for the verdict, findings, and the bytes that were not there.
// Pure.
//
//   soak_line(ledger)   // "10 min 02 s, 212 rounds, 4,211,000 operations, 12.3 TB verified, 0 wrong; ..."
//
// Asked are pairs that deliver by themselves: whatever goes wrong contradicts an open bench, and bytes that are missing or
// wrong make the verdict silent. A counter of errors that rises while every byte is right is told, since the link or the
// memory has put the error right; one of errors that were not put right contradicts open, since what it hit was seen by
// nobody here. So does an Xid, but for those that a program brings about.
#pragma once

#include <string>
#include <vector>

#include "reports/judging/ledger.hpp"
#include "reports/judging/verdict.hpp"

namespace peerproof {

// One line, without a line break; empty where no soak was asked for.
std::string soak_line(const Ledger& ledger);
// Where success was reported and bytes were not there.
Entries lost_in_the_soak(const Ledger& ledger);
std::string text_of_soak(const Ledger::Entry& entry);
// What the soak of this session came to, whatever ended it; null where nothing is known.
const Soak* soak_of(const Ledger& ledger);
// It says that it delivered: then it has lasted as long as was asked, moved something, and nothing of it was wrong.
bool is_whole_soak(const Ledger::Entry& entry, const Plan& plan);

// A counter that was higher after the soak than before, for people: "PCIe replays of gpu0 rose by 12".
struct Rise {
    int gpu = 0;
    std::string text;
    bool accuses = false;
};
std::vector<Rise> rises_in(const Soak& soak);

void soak_findings(const Ledger& ledger, std::vector<Finding>& findings);

}  // namespace peerproof
