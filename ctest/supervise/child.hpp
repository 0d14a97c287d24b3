// One supervised process, from its start until it is gone or given up.
//
//   Output output{1, log, 1 << 20};
//   const ChildRequest request{.command = {"conformance", ...}, .deadline_s = 60, .with_record = true};
//   const ChildEnd end = run_child(request, output);
//
// When the deadline passes, or SIGINT, SIGTERM or SIGHUP asks us to stop, the whole process group gets
// SIGKILL. A process that is still there after the grace time (a driver call that does not return) is left
// behind. What the end means for the case is decided in decide.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ctest/supervise/output.hpp"

namespace peerproof::supervise {

struct ChildRequest {
    std::vector<std::string> command;
    double deadline_s = 60;
    double grace_s = 5;
    bool with_record = false;
    // Asked to stop, it is asked in turn (SIGTERM) and has 20 s to come to its end.
    bool ends_when_asked = false;
    // Gets each whole line of the record. True: it is on disk, and the child is told so; one that may not be
    // able to end waits for that before it tries.
    std::function<bool(std::string_view line)> keep = {};
};

struct ChildEnd {
    enum class How {
        exited,       // code: exit status
        signalled,    // code: the signal
        not_started,  // code: errno of exec
        hung,         // the deadline passed, and SIGKILL ended it
        unkillable,   // SIGKILL did not end it
        interrupted,  // code: the signal that we got; the child is dead
    };
    How how{};
    int code = 0;
    double seconds = 0;
    std::string record;       // the last whole line that came through the record pipe, and what came after it
    bool record_cut = false;  // there was more than record_file_limit
};

ChildEnd run_child(const ChildRequest&, Output&);

}  // namespace peerproof::supervise
