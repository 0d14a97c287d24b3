// What the verdict costs: reads, judges and reports a session of N GPUs (16 by default, 3,000 records) with
// everything that a session can hold. The slowest of five runs is what counts. Each run is a process of its
// own, as in a session, so that its peak memory is its own.
//
// As it is shipped only where CMake was given -DCMAKE_CXX_FLAGS_RELEASE=-O2: the self-tests are optimised less.
//
//   report_time [N] [DIR]     prints one line a run, then sizes; DIR is kept, a temporary folder is not
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "reports/commands/session_commands.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "tests/reports/sample_session.hpp"

namespace {

using namespace peerproof;
namespace fs = std::filesystem;

constexpr int runs = 5;

// Every family, three steps and a full log in each record, and a bench of which most has to be told: two
// thirds of its core checks fail.
Session full_session(int gpus) {
    Session session = sample::locked_session(gpus);
    sample::add_links(session);
    sample::add_measurements(session);
    sample::add_collective(session);
    for (Record& record : session.records) {
        record.steps.resize(3, record.steps.empty() ? Step{} : record.steps.front());
        while (record.log.size() + 80 < record_log_limit) record.log += std::string(79, 'x') + "\n";
    }
    return session;
}

struct Cost {
    double seconds = 0;
    double peak_mb = 0;  // 1e6 bytes
};

Cost cost_of(const std::function<void()>& work) {
    const auto began = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
        try {
            work();
            ::_exit(0);
        } catch (const std::exception& reason) {
            print(stderr, "report_time: {}\n", reason.what());
            ::_exit(1);
        }
    }
    int status = 0;
    rusage used{};
    if (::wait4(child, &status, 0, &used) != child || status != 0) throw std::runtime_error("a run failed");
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
            static_cast<double>(used.ru_maxrss) * 1024 / 1e6};
}

void judge_and_write(const fs::path& folder) {
    std::ostringstream out;
    const int code = verdict_command(folder, sample::session_id, "", out);
    if (code != exit_held) throw std::runtime_error(out.str().substr(0, 1000));
}

void measure(int gpus, const fs::path& folder) {
    (void)cost_of([&] { sample::write(full_session(gpus), folder); });
    const auto records = std::distance(fs::directory_iterator(folder / "records"), fs::directory_iterator());
    Cost worst;
    for (int run = 0; run < runs; ++run) {
        const Cost cost = cost_of([&] { judge_and_write(folder); });
        worst = {std::max(worst.seconds, cost.seconds), std::max(worst.peak_mb, cost.peak_mb)};
        print(stdout, "{} GPUs, {} records: {:.3f} s, {:.0f} MB\n", gpus, records, cost.seconds,
              cost.peak_mb);
    }
    print(stdout, "slowest of {}: {:.3f} s; most memory: {:.0f} MB\n", runs, worst.seconds, worst.peak_mb);
    for (const char* file : {"report.html", "report.md", "report.txt", "junit.xml", "report.json"})
        print(stdout, "{:<12} {:>10} bytes\n", file, fs::file_size(folder / file));
}

}  // namespace

int main(int argc, char** argv) {
    const int gpus = argc > 1 ? std::atoi(argv[1]) : 16;
    if (gpus < 2 || gpus > 64 || argc > 3) {
        print(stderr, "report_time [N, 2 to 64] [DIR]\n");
        return exit_usage;
    }
    std::string folder = argc > 2 ? argv[2] : (fs::temp_directory_path() / "report_time.XXXXXX").string();
    if (argc <= 2 && ::mkdtemp(folder.data()) == nullptr) return exit_no_verdict;
    try {
        measure(gpus, folder);
    } catch (const std::exception& reason) {
        print(stderr, "report_time: {}\n", reason.what());
        return exit_no_verdict;
    }
    if (argc <= 2) fs::remove_all(folder);
    return exit_held;
}
