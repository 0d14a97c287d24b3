#include "reports/commands/watch.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>

#include "reports/commands/failures.hpp"
#include "reports/commands/soak_progress.hpp"
#include "reports/commands/time_left.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/duration.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double between_lines_s = 10;  // where nobody watches a terminal
constexpr int tick_ms = 500;
constexpr std::size_t longest_line = 64 * 1024;

constexpr std::size_t width_elsewhere = 100, width_of_soak = 160;

struct Size {
    std::size_t columns = 79, rows = 24;
};

Size size_of(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col <= 20 || size.ws_row <= 4) return {};
    return {size.ws_col - 1u, size.ws_row};
}

// On a terminal a block that is drawn again: a line for each kind of failure, and the progress. Elsewhere what
// is new is printed every ten seconds.
class Screen {
  public:
    void failure(const EndedTest& test) { failures_.add(test); }

    // What stays on the screen, above what is drawn again.
    void say(const std::vector<std::string>& lines) {
        wipe();
        print(lines);
        std::fflush(stdout);
    }

    void progress(const CtestOutput& output, TimeLeft* left, const std::string& soak) {
        soak_ = soak;
        if (output.total() == 0 && output.running().empty()) return;
        left_ = left == nullptr ? std::nullopt : left->seconds(seconds());
        if (live_) {
            draw(output);
        } else if (seconds() - last_s_ >= between_lines_s) {
            last_s_ = seconds();
            print_news(output);
        }
    }

    void end(const CtestOutput& output) {
        wipe();
        if (live_)
            print(failures_.lines(size_of(STDOUT_FILENO).columns, paint_));
        else
            print(failures_.news(width_elsewhere, paint_));
        if (output.total() > 0) print({progress_line(output, seconds(), width_elsewhere, paint_)});
        std::fflush(stdout);
    }

  private:
    void draw(const CtestOutput& output) {
        const Size size = size_of(STDOUT_FILENO);
        std::vector<std::string> lines = failures_.lines(size.columns, paint_);
        if (const std::size_t room = size.rows - 3; lines.size() > room) {
            const std::size_t more = lines.size() - room;
            lines.resize(room);
            lines.push_back(format("and {} kinds of failure more", more));
        }
        wipe();
        print(lines);
        std::fputs(progress_line(output, seconds(), size.columns, paint_, left_, soak_).c_str(), stdout);
        std::fflush(stdout);
        lines_above_ = lines.size();
        shown_ = true;
    }

    void print_news(const CtestOutput& output) {
        print(failures_.news(width_elsewhere, paint_));
        const std::size_t width = soak_.empty() ? width_elsewhere : width_of_soak;
        print({progress_line(output, seconds(), width, paint_, left_, soak_)});
        std::fflush(stdout);
    }

    void wipe() {
        if (!shown_) return;
        std::fputs("\r", stdout);
        if (lines_above_ > 0) std::fputs(format("\033[{}A", lines_above_).c_str(), stdout);
        std::fputs("\033[J", stdout);
        shown_ = false;
    }
    static void print(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) std::fputs((line + "\n").c_str(), stdout);
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

    const Clock::time_point began_ = Clock::now();
    const bool live_ = is_live_terminal(STDOUT_FILENO);
    const Paint paint_{takes_colour(STDOUT_FILENO)};
    Failures failures_;
    std::optional<double> left_;
    std::string soak_;             // how far it is, where one runs
    bool shown_ = false;           // the block stands there
    std::size_t lines_above_ = 0;  // of the block, above the progress
    double last_s_ = 0;
};

}  // namespace

std::string progress_line(const CtestOutput& output, double seconds, std::size_t width, const Paint& paint,
                          std::optional<double> seconds_left, const std::string& soak) {
    const int whole = static_cast<int>(seconds);
    std::string text =
        format("[{}/{}] {}", output.done(), output.total() == 0 ? "?" : format("{}", output.total()),
               whole < 60 ? format("{} s", whole) : format("{} min {:02} s", whole / 60, whole % 60));
    if (seconds_left && soak.empty()) text += format(", about {} left", duration_text(*seconds_left));
    std::string failed;
    if (output.failed() > 0) failed = format("{} failed", output.failed());
    std::string now;
    if (!soak.empty()) {
        now = ", " + soak;
    } else if (!output.running().empty()) {
        now = ", now " + output.running().front();
        if (output.running().size() > 1) now += format(" and {} more", output.running().size() - 1);
    }
    const std::size_t before = text.size() + (failed.empty() ? 0 : 2 + failed.size());
    if (before + now.size() > width) now = one_line(now, width > before + 3 ? width - before : 3);
    return text + (failed.empty() ? "" : ", " + paint(Colour::red, failed)) + now;
}

int watch_command(int input, const WatchRequest& request) {
    std::signal(SIGINT, SIG_IGN);  // ctest is interrupted, and what it says then is still to be shown
    std::ofstream copy(request.log, std::ios::binary);
    if (!copy) std::cerr << "peerproof-report: the log " << request.log.string() << " cannot be written\n";
    CtestOutput output;
    Screen screen;
    std::unique_ptr<TimeLeft> left;
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
                    if (left != nullptr) left->take(test);
                    if (test.name == "bench.open" && !test.failed && left == nullptr) {
                        left = TimeLeft::of_session(request.session_folder, request.jobs);
                        if (left != nullptr) screen.say(left->beforehand());
                    }
                }
                line.clear();
            }
        }
        screen.progress(output, left.get(), soak_progress_of(output, request.session_folder));
    }
    for (const EndedTest& test : output.finish()) screen.failure(test);
    screen.end(output);
    copy.flush();
    return copy ? exit_held : exit_no_verdict;
}

}  // namespace peerproof
