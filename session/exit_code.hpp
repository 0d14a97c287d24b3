// The exit codes of every peerproof program (README.md has the table for people).
#pragma once

namespace peerproof {

enum ExitCode : int {
    exit_held = 0,             // what was expected was observed
    exit_refuted = 1,          // something else was observed
    exit_usage = 64,           // the command line, the environment or an input file is not valid
    exit_nothing_ran = 70,     // no case was selected, or the list is stale
    exit_no_verdict = 75,      // could not be decided: a control, the set-up, the output folder
    exit_not_applicable = 77,  // CTest's SKIP_RETURN_CODE; for checks, never for controls
    exit_hung = 124,           // the deadline passed
    exit_unkillable = 125,     // the deadline passed and SIGKILL did not end the process
};

}  // namespace peerproof
