// The command line of supervise (session/README.md has the two forms).
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace peerproof::supervise {

struct Options {
    std::optional<std::filesystem::path> session_folder;  // none: the deadline alone
    std::string case_id;
    std::optional<double> deadline_s;           // none: the plan's
    double grace_s = 5;                         // from SIGKILL until the process is given up
    std::optional<std::string> health_program;  // asks the GPUs after a case that hung; none: nobody asks
    std::vector<std::string> command;
};

// The person asked for the help text, which is the message.
struct HelpAsked : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws UsageError (session/settings.hpp) or HelpAsked.
Options options_from(int argc, const char* const* argv);

}  // namespace peerproof::supervise
