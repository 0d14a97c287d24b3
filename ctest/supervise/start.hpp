// Starting the supervised process: a process group of its own, its output in a pipe of ours, its record on
// a socket, standard input empty, every other descriptor closed, and SIGKILL should supervise die first.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "session/descriptor.hpp"

namespace peerproof::supervise {

inline constexpr int record_descriptor = 3;  // in the child

struct Started {
    pid_t process = -1;     // also the id of its process group
    Descriptor output;      // read ends, non-blocking
    Descriptor record;      // ours of two connected ends; not open where no record was asked for
    Descriptor exec_error;  // holds an errno if COMMAND could not be started, nothing otherwise
};

// `mask` is the signal mask that the child gets back. Throws std::system_error where the machine has no
// process or pipe left; a COMMAND that does not exist is not seen here but in exec_error.
Started start(const std::vector<std::string>& command, bool with_record, const sigset_t& mask);

}  // namespace peerproof::supervise
