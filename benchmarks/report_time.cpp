// How long the verdict takes: reads, judges and reports a session of N cards (16 by default) with everything
// that a session can hold, written to a folder of its own. The slowest of five runs is what counts.
//
//   report_time [N] [DIR]     prints one line a run; DIR is kept, a temporary folder is not
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "reports/commands.hpp"
#include "session/exit_code.hpp"
#include "tests/reports/sample_session.hpp"

namespace {

using namespace peerproof;
namespace fs = std::filesystem;

constexpr int runs = 5;

// A locked bench is the worst: two thirds of its checks are told one by one. Each record carries a full log.
Session full_session(int gpus) {
    Session session = sample::locked_session(gpus);
    for (Record& record : session.records) {
        while (record.log.size() + 80 < record_log_limit) record.log += std::string(79, 'x') + "\n";
    }
    return session;
}

double seconds_of(const fs::path& folder) {
    std::ostringstream out;
    const auto began = std::chrono::steady_clock::now();
    const int code = verdict_command(folder, sample::session_id, "", out);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (code != exit_held) throw std::runtime_error(out.str().substr(0, 1000));
    return seconds;
}

}  // namespace

int main(int argc, char** argv) {
    const int gpus = argc > 1 ? std::atoi(argv[1]) : 16;
    if (gpus < 2 || gpus > 64 || argc > 3) {
        fmt::print(stderr, "report_time [N, 2 to 64] [DIR]\n");
        return exit_usage;
    }
    std::string folder = argc > 2 ? argv[2] : (fs::temp_directory_path() / "report_time.XXXXXX").string();
    if (argc <= 2 && ::mkdtemp(folder.data()) == nullptr) return exit_no_verdict;
    try {
        const Session session = full_session(gpus);
        sample::write(session, folder);
        double slowest = 0;
        for (int run = 0; run < runs; ++run) {
            const double seconds = seconds_of(folder);
            slowest = seconds > slowest ? seconds : slowest;
            fmt::print("{} cards, {} records: {:.3f} s\n", gpus, session.records.size(), seconds);
        }
        fmt::print("slowest of {}: {:.3f} s\n", runs, slowest);
    } catch (const std::exception& reason) {
        fmt::print(stderr, "report_time: {}\n", reason.what());
        return exit_no_verdict;
    }
    if (argc <= 2) fs::remove_all(folder);
    return exit_held;
}
