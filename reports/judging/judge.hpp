// The judge: a pure function from what a session left behind to its verdict (README.md has the rules).
//
//   judge(session).word == VerdictWord::locked
//
// The order is fixed: no_verdict, silent, hung, open (or suspect), locked, partial. What cannot be shown to
// be a whole and healthy session is no_verdict, with every reason; nothing is ever taken as delivered without
// its record. Hints become findings and decide nothing.
#pragma once

#include "reports/judging/verdict.hpp"
#include "reports/reading/session_folder.hpp"

namespace peerproof {

// `evidence`: findings from outside the records; one that contradicts open makes an open bench suspect.
Verdict judge(const Session& session, std::vector<Finding> evidence = {});

}  // namespace peerproof
