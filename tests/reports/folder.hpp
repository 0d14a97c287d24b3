// A session folder on disk that a test may spoil, and the real program run on it.
#pragma once

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/reports/sample_session.hpp"

namespace peerproof {

class Folder {
  public:
    Folder() {
        char name[] = "/tmp/report folder XXXXXX";  // with spaces, as people have them
        if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary folder");
        root_ = name;
        path = root_ / "session";
    }
    explicit Folder(const Session& session) : Folder() { sample::write(session, path); }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path record(const std::string& id) const { return path / "records" / (id + ".json"); }

    static void put(const std::filesystem::path& file, const std::string& text) {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }
    static std::string get(const std::filesystem::path& file) {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }

    std::filesystem::path path;  // of the session

  private:
    std::filesystem::path root_;
};

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
