// Runs the real supervise in a session folder of its own, with a shell script in the place of the check.
#pragma once

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "ctest/supervise/by_hand.hpp"
#include "ctest/supervise/decide.hpp"
#include "session/json.hpp"
#include "tests/ctest/sample_plan.hpp"

namespace peerproof::supervise {

struct Ran {
    int code = -1;
    std::string output;
    double seconds = 0;
};

class SuperviseRun : public ::testing::Test {
  protected:
    static constexpr const char* core = "core.read.gpu0_to_gpu1";
    static constexpr const char* back = "core.read.gpu1_to_gpu0";
    static constexpr const char* control = "control.alive.gpu0";
    static constexpr const char* evidence = "evidence.staged_copy.gpu0_to_gpu1";

    void SetUp() override {
        char name[] = "/tmp/peerproof supervise XXXXXX";  // with a space: nothing may trip over it
        folder = ::mkdtemp(name);
        write_file_atomically(folder / "plan.json", to_json(plan).dump());
        std::filesystem::create_directory(folder / "records");
        control_came_to(Outcome::delivered);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    // The record that the control of gpu0 left in this session.
    void control_came_to(Outcome outcome, const std::string& session = "") const {
        Record record = started_record(plan, *plan.find(control));
        record.finished = true;
        record.outcome = outcome;
        if (!session.empty()) record.session = session;
        write_file_atomically(record_file(control), to_json(record).dump());
    }

    // Writes what a child would send, and returns the shell words that send it.
    std::string send(const std::string& id, Outcome outcome) {
        Record record = started_record(plan, *plan.find(id));
        record.finished = true;
        record.outcome = outcome;
        record.summary = "as the child says";
        record.steps.resize(1);
        record.steps[0].name = "word";
        write_file_atomically(folder / "sent.json", to_json(record).dump());
        return "cat " + shell_quoted(folder / "sent.json") + " >&3; ";
    }

    Ran shell(const std::string& line) const {
        const auto began = std::chrono::steady_clock::now();
        FILE* pipe = ::popen(("( " + line + " ) 2>&1").c_str(), "r");
        Ran ran;
        char buffer[4096];
        for (std::size_t got; (got = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
            ran.output.append(buffer, got);
        const int status = ::pclose(pipe);
        ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return ran;
    }

    std::string line(const std::string& id, const std::string& script,
                     const std::string& options = "") const {
        return shell_quoted(PEERPROOF_SUPERVISE) + " --session-folder " + shell_quoted(folder) + " --case " +
               id + " " + options + " -- sh -c " + shell_quoted(script);
    }
    Ran run(const std::string& id, const std::string& script, const std::string& options = "") const {
        return shell(line(id, script, options));
    }

    std::filesystem::path record_file(const std::string& id) const {
        return folder / "records" / (id + ".json");
    }
    Record record(const std::string& id) const { return read_record(record_file(id)); }
    std::string log(const std::string& id) const {
        std::ifstream file{folder / "logs" / (id + ".log")};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    Plan plan = sample::plan();
    std::filesystem::path folder;
};

inline bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace peerproof::supervise
