#include "tests/flow/flow.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace peerproof::flow {

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

Ended run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const fs::path& folder) {
    std::vector<std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (text.starts_with("PEERPROOF_") || environment.count(std::string(text.substr(0, text.find('=')))))
            continue;
        variables.emplace_back(text);
    }
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> list;
        for (std::string& text : texts) list.push_back(text.data());
        list.push_back(nullptr);
        return list;
    };
    std::vector<std::string> words = command;

    char name[] = "/tmp/peerproof-flow-output-XXXXXX";
    const int output = ::mkstemp(name);
    if (output < 0) throw std::runtime_error("no temporary file");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions, output, 2);
    ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                                     pointers(variables).data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(output);
    Ended ended;
    if (error == 0) {
        int status = 0;
        ::waitpid(child, &status, 0);
        ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    ended.output = text_of(name);
    fs::remove(name);
    return ended;
}

Flow::Flow() {
    char name[] = "/tmp/peerproof flow XXXXXX";  // with spaces, as people have them
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = name;
    folder_ = root_ / "suite";
    out_ = root_ / "out";
    fs::create_directory(folder_);
    // ctest writes beside CTestTestfile.cmake, and what it writes there, Testing/, decides the order of its
    // next run: a test that has run ctest in the installed folder itself must not hand it to the others. The
    // rest can be shared.
    const fs::path installed = PEERPROOF_STAGE;
    for (const auto& entry : fs::directory_iterator(installed)) {
        if (entry.path().filename() == "Testing") continue;
        const fs::path to = folder_ / entry.path().filename();
        if (entry.is_directory())
            fs::create_directory_symlink(entry.path(), to);
        else
            fs::copy_file(entry.path(), to);
    }
    set("PEERPROOF_OUT", out_.string());
    // Only where a test is about them: a few seconds a bench.
    set("PEERPROOF_COLLECTIVE", "off");
    set("PEERPROOF_MEASUREMENTS", "off");
    set("PEERPROOF_WAYS", "off");
    set("PEERPROOF_CROWD", "off");
    // A large step, and what else is sized by it, cost by the byte, and 4 MiB say what 16 do: where not, a
    // bench says so (`large_mib`).
    set("PEERPROOF_LARGE_MIB", "4");
}

Flow::~Flow() {
    std::error_code ignored;
    if (!testing::Test::HasFailure())
        fs::remove_all(root_, ignored);
    else
        std::fprintf(stderr, "left for looking at: %s\n", root_.c_str());
}

void Flow::bench_text(const std::string& name, const std::string& toml) {
    const fs::path file = root_ / (name + ".toml");
    std::ofstream(file) << toml;
    set("PEERPROOF_BENCH", file.string());
}

Ended Flow::ctest(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{PEERPROOF_CTEST, "--test-dir", folder_.string(), "--no-tests=error",
                                     "--output-on-failure"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, environment_);
}

Ended Flow::program(const std::string& name, const std::vector<std::string>& arguments) {
    std::vector<std::string> command{(folder_ / "bin" / name).string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, environment_, root_);
}

fs::path Flow::session() const { return fs::canonical(out_ / "latest"); }

bool Flow::has_report() const { return fs::exists(out_ / "latest" / "report.json"); }

nlohmann::json Flow::report() const { return nlohmann::json::parse(text_of(session() / "report.json")); }

nlohmann::json Flow::record(const std::string& case_id) const {
    return nlohmann::json::parse(text_of(session() / "records" / (case_id + ".json")));
}

std::string reasons(const nlohmann::json& report) {
    std::string text;
    for (const auto& reason : report.at("reasons")) text += reason.get<std::string>() + "\n";
    return text;
}

}  // namespace peerproof::flow
