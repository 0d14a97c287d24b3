#include "ctest/conformance/collective_cases.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

struct Answer {
    int code = -1;  // exit status; -1 where it was ended by a signal
    std::string out, err;
};

std::string text_of(std::FILE* file, std::size_t limit) {
    std::string text;
    std::array<char, 4096> buffer{};
    std::rewind(file);
    while (text.size() < limit) {
        const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file);
        if (got == 0) break;
        text.append(buffer.data(), got);
    }
    return text;
}

// No shell: the path is the person's. Its output goes to files without a name, so that it never waits for us.
Answer ask(const std::vector<std::string>& command) {
    constexpr std::size_t limit = 4 * 1024 * 1024;
    using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
    const File out(std::tmpfile(), std::fclose), err(std::tmpfile(), std::fclose);
    if (!out || !err) return {.err = "no temporary file"};
    const pid_t process = ::fork();
    if (process < 0) return {.err = "no process"};
    if (process == 0) {
        ::dup2(::fileno(out.get()), 1);
        ::dup2(::fileno(err.get()), 2);
        std::vector<char*> arguments;
        for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(out.get(), limit),
            text_of(err.get(), limit)};
}

std::string first_line(std::string text) {
    text = printable(text.substr(0, text.find('\n')), 400);
    return text.empty() ? "it said nothing" : text;
}

// After the core checks between its GPUs: where those fail, the failure of the all-reduce is no surprise.
void put_behind_core(const Plan& plan, Case& one) {
    for (const Case& core : plan.cases) {
        if (core.family != Family::core) continue;
        const auto is_in = [&](int gpu) {
            return std::find(one.gpus.begin(), one.gpus.end(), gpu) != one.gpus.end();
        };
        if (std::all_of(core.gpus.begin(), core.gpus.end(), is_in)) one.after.push_back(core.id);
    }
}

std::string why_not(const Plan& plan, const Settings& settings, const fs::path& program) {
    if (!settings.collective) return "PEERPROOF_COLLECTIVE is off";
    if (plan.self_check) return "a self-check enables no peer access, and NCCL would";
    if (plan.gpus.size() < 2) return "fewer than two GPUs";
    if (!fs::exists(program)) return "this peerproof was built without NCCL";
    return "";
}

}  // namespace

void add_collective_cases(Plan& plan, AcceptedIfLocked& if_locked, const Settings& settings) {
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "collective";
    std::string& reason = plan.not_run["collective"];
    reason = why_not(plan, settings, program);
    if (!reason.empty()) return;
    const Answer answer = ask({program.string(), "--cases", std::to_string(plan.gpus.size())});
    if (answer.code != 0) {
        std::string said = first_line(answer.err);
        if (const std::string self = "collective: "; said.starts_with(self)) said.erase(0, self.size());
        reason = "collective cannot run here: " + said;
        return;
    }
    std::vector<Case> cases;
    const auto json = nlohmann::json::parse(answer.out, nullptr, false);
    const Member root(json, program.string() + " --cases");
    if (!json.is_object()) root.fail("is not JSON");
    plan.environment["nccl"] = root.string("nccl");
    for (const Member& one : root.list("open")) cases.push_back(case_from(one));
    for (const Member& one : root.list("locked")) {
        const Case locked = case_from(one);
        if_locked[locked.id] = locked.accepted;
    }
    for (Case& one : cases) {
        if (place_of(one) == "bench" && one.check == "all_reduce") {
            for (const Case& other : cases) {
                if (other.check == one.check && other.id != one.id) one.after.push_back(other.id);
            }
        }
        if (one.after.empty() || place_of(one) != "bench") put_behind_core(plan, one);
    }
    plan.cases.insert(plan.cases.end(), cases.begin(), cases.end());
    plan.not_run.erase("collective");
}

}  // namespace peerproof
