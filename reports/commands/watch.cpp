#include "reports/commands/watch.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"

namespace peerproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double between_lines_s = 10;  // where nobody watches a terminal
constexpr int tick_ms = 500;
constexpr std::size_t longest_line = 64 * 1024;

std::size_t width_of(int descriptor) {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col - 1u : 79u;
}

class Screen {
  public:
    void failure(const EndedTest& test) { say(failure_line(test, paint_) + "\n"); }

    void progress(const CtestOutput& output) {
        if (output.total() == 0 && output.running().empty()) return;
        if (live_) {
            say(progress_line(output, seconds(), width_of(STDOUT_FILENO), paint_));
            shown_ = true;
        } else if (seconds() - last_s_ >= between_lines_s) {
            last_s_ = seconds();
            say(progress_line(output, seconds(), 200, paint_) + "\n");
        }
    }

    void end(const CtestOutput& output) {
        if (output.total() > 0) say(progress_line(output, seconds(), 200, paint_) + "\n");
    }

  private:
    void say(const std::string& text) {
        if (shown_) std::fputs("\r\033[K", stdout);
        shown_ = false;
        std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    const Clock::time_point began_ = Clock::now();
    const bool live_ = is_live_terminal(STDOUT_FILENO);
    const Paint paint_{takes_colour(STDOUT_FILENO)};
    bool shown_ = false;  // the changing line stands there
    double last_s_ = 0;
};

}  // namespace

std::string progress_line(const CtestOutput& output, double seconds, std::size_t width, const Paint& paint) {
    const int whole = static_cast<int>(seconds);
    std::string text = fmt::format(
        "[{}/{}] {}", output.done(), output.total() == 0 ? "?" : fmt::format("{}", output.total()),
        whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60));
    std::string failed;
    if (output.failed() > 0) failed = fmt::format("{} failed", output.failed());
    std::string now;
    if (!output.running().empty()) {
        now = ", now " + output.running().front();
        if (output.running().size() > 1) now += fmt::format(" and {} more", output.running().size() - 1);
    }
    const std::size_t before = text.size() + (failed.empty() ? 0 : 2 + failed.size());
    if (before + now.size() > width) now = one_line(now, width > before + 3 ? width - before : 3);
    return text + (failed.empty() ? "" : ", " + paint(Colour::red, failed)) + now;
}

std::string failure_line(const EndedTest& test, const Paint& paint) {
    std::string word = test.result;
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return fmt::format("{} {} after {:.2f} s{}{}", paint(Colour::red, one_line(word, 40)), test.name,
                       test.seconds, test.reason.empty() ? "" : ": ", test.reason);
}

int watch_command(int input, const std::filesystem::path& log) {
    std::signal(SIGINT, SIG_IGN);  // ctest is interrupted, and what it says then is still to be shown
    std::ofstream copy(log, std::ios::binary);
    if (!copy) std::cerr << "peerproof-report: the log " << log.string() << " cannot be written\n";
    CtestOutput output;
    Screen screen;
    std::string line;
    char block[8192];
    for (;;) {
        pollfd ready{input, POLLIN, 0};
        const int answer = ::poll(&ready, 1, tick_ms);
        if (answer > 0) {
            const ssize_t got = ::read(input, block, sizeof block);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            copy.write(block, got);
            for (ssize_t i = 0; i < got; ++i) {
                if (block[i] != '\n') {
                    if (line.size() < longest_line) line += block[i];
                    continue;
                }
                for (const EndedTest& test : output.take(line)) {
                    if (test.failed) screen.failure(test);
                }
                line.clear();
            }
        }
        screen.progress(output);
    }
    for (const EndedTest& test : output.finish()) screen.failure(test);
    screen.end(output);
    copy.flush();
    return copy ? exit_held : exit_no_verdict;
}

}  // namespace peerproof
