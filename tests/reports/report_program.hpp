// The real program peerproof-report, run on a session's folder.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <stdexcept>
#include <string>

#include "tests/reports/folder.hpp"

namespace peerproof {

struct Ran {
    int code = -1;
    std::string output;  // both streams
};

// Through the shell: `before` may set limits.
inline Ran run_report(const std::string& arguments, const std::string& before = "") {
    const std::string command = before + " '" PEERPROOF_REPORT "' " + arguments + " 2>&1";
    Ran ran;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no pipe");
    char block[4096];
    for (std::size_t got; (got = std::fread(block, 1, sizeof block, pipe)) > 0;)
        ran.output.append(block, got);
    const int status = ::pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ran;
}

inline Ran run_verdict(const Folder& folder, const std::string& before = "") {
    return run_report("verdict '" + folder.path.string() + "' --session " + sample::session_id, before);
}

// The folder of a session that came to its end: the test named verdict wrote its reports.
class JudgedFolder : public Folder {
  public:
    explicit JudgedFolder(const Session& session) : Folder(session) {
        if (run_verdict(*this).output.empty()) throw std::runtime_error("no verdict");
    }
};

}  // namespace peerproof
