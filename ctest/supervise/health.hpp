// After a case that did not come to its end: do its GPUs still answer? Each is asked once, by its positive
// control in a process of its own; one that does not answer is put in quarantine, so that one hang is not
// told again by every case that follows.
//
// The answer is no evidence of a pair: a GPU that answers may have a path that hangs, see hung_pair.hpp.
#pragma once

#include <filesystem>
#include <string>

#include "ctest/supervise/output.hpp"
#include "session/plan.hpp"

namespace peerproof::supervise {

struct HealthRequest {
    std::string program;  // that runs a control: called as for any case
    std::filesystem::path session_folder;
    double limit_s = 10;  // for each GPU
    double grace_s = 5;
    std::string how;  // "hung": what the case did
};

// Says in `output` what came of it, and keeps it as a line of <session folder>/health/<uuid>.
void ask_gpus(const HealthRequest&, const Plan&, const Case&, Output& output);

}  // namespace peerproof::supervise
