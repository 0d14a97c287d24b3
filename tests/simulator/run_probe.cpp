#include "tests/simulator/run_probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

extern char** environ;

namespace peerproof::simulated {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct Folder {
    fs::path path;
    Folder() {
        char name[] = "/tmp/peerproof-probe-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~Folder() { fs::remove_all(path); }
};

std::string bench_in(const Folder& folder, const std::string& bench) {
    if (bench.find('\n') == std::string::npos) return bench;
    const fs::path file = folder.path / "made-here.toml";
    std::ofstream(file) << bench;
    return file.string();
}

Environment environment_for(const std::string& bench, const Environment& more) {
    Environment all{{"LD_LIBRARY_PATH", PEERPROOF_SIMULATED_LIBRARIES},
                    {"PEERPROOF_BENCH", bench},
                    {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}};
    for (const char* kept : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
        if (const char* value = std::getenv(kept)) all[kept] = value;
    }
    for (const auto& [name, value] : more) all[name] = value;
    return all;
}

pid_t start(const std::vector<std::string>& steps, const Environment& environment, int output, int errors) {
    std::vector<std::string> words{PEERPROOF_SIMULATED_PROBE};
    words.insert(words.end(), steps.begin(), steps.end());
    std::vector<std::string> settings;
    for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
    std::vector<char*> arguments, variables;
    for (std::string& each : words) arguments.push_back(each.data());
    for (std::string& each : settings) variables.push_back(each.data());
    arguments.push_back(nullptr);
    variables.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_adddup2(&files, errors, 2);
    // As supervise does: the probe has an open pipe as descriptor 3.
    posix_spawn_file_actions_adddup2(&files, output, 3);
    pid_t pid = -1;
    if (posix_spawn(&pid, arguments[0], &files, nullptr, arguments.data(), variables.data()) != 0) pid = -1;
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

template <class Condition>
bool within(int milliseconds, Condition condition) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > limit) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

}  // namespace

Ran probe(const std::string& bench, const std::vector<std::string>& steps, const Environment& more) {
    const Folder folder;
    const int output = ::open((folder.path / "output").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const int errors = ::open((folder.path / "errors").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const pid_t pid = start(steps, environment_for(bench_in(folder, bench), more), output, errors);
    int status = 0;
    ::waitpid(pid, &status, 0);
    ::close(output);
    ::close(errors);
    Ran ran;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ran.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ran.errors = text_of(folder.path / "errors");
    std::istringstream lines(text_of(folder.path / "output"));
    for (std::string line; std::getline(lines, line);) ran.answers.push_back(line);
    return ran;
}

Answers after(const std::vector<std::string>& before, const std::string& bench,
              const std::vector<std::string>& steps) {
    std::vector<std::string> all = before;
    all.insert(all.end(), steps.begin(), steps.end());
    const Ran ran = probe(bench, all);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_GE(ran.answers.size(), before.size());
    return {ran.answers.begin() + static_cast<std::ptrdiff_t>(std::min(before.size(), ran.answers.size())),
            ran.answers.end()};
}

std::string gpus(int count, const std::string& more) {
    return "description = \"made by a test\"\n\n[expect]\nverdict = \"open\"\n\n[gpus]\ncount = " +
           std::to_string(count) + "\n\n" + more + "\n";
}

Running::Running(const std::string& bench, const std::vector<std::string>& steps, const Environment& more) {
    const Folder folder;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = start(steps, environment_for(bench_in(folder, bench), more), ends[1], ends[1]);
    ::close(ends[1]);
    output_ = ends[0];
    if (bench.find('\n') != std::string::npos) line();  // it has read the file before the folder goes
}

Running::~Running() {
    if (pid_ > 0 && !ended_) {
        kill_9();
        reaped(1000);
    }
    ::close(output_);
}

std::string Running::line() {
    std::string text;
    for (char c; ::read(output_, &c, 1) == 1 && c != '\n';) text += c;
    return text;
}

Answers Running::lines_until(const std::string& last) {
    Answers all;
    do all.push_back(line());
    while (!all.back().empty() && all.back() != last);
    return all;
}

void Running::go_on() { ::kill(pid_, SIGUSR1); }

std::vector<pid_t> Running::children() const {
    std::vector<pid_t> all;
    std::istringstream list(
        text_of("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/children"));
    for (pid_t each; list >> each;) all.push_back(each);
    return all;
}

void Running::kill_9() { ::kill(pid_, SIGKILL); }

bool Running::output_ends(int milliseconds) {
    return within(milliseconds, [&] {
        pollfd end{output_, POLLIN, 0};
        char ignored[256];
        return ::poll(&end, 1, 10) == 1 && ::read(output_, ignored, sizeof ignored) == 0;
    });
}

bool Running::reaped(int milliseconds) {
    ended_ = ended_ || within(milliseconds, [&] { return ::waitpid(pid_, nullptr, WNOHANG) == pid_; });
    return ended_;
}

std::string word(const std::string& answer, int n) {
    std::istringstream words(answer);
    std::string found;
    for (int i = 0; i <= n; ++i) words >> found;
    return found;
}

bool is_running(pid_t pid) {
    const std::string status = text_of("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t name_ends = status.rfind(')');
    return name_ends != std::string::npos && name_ends + 2 < status.size() && status[name_ends + 2] != 'Z';
}

}  // namespace peerproof::simulated
