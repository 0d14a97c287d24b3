#include "ctest/supervise/child.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>

#include "ctest/supervise/leftovers.hpp"
#include "ctest/supervise/lines.hpp"
#include "ctest/supervise/start.hpp"
#include "session/record.hpp"

namespace peerproof::supervise {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// An orphan may hold the pipes open for ever; what it prints later than this is lost.
constexpr milliseconds drain_time{50};
constexpr milliseconds flush_time{1000};
// For the operation that a child is in when it is asked to come to its end.
constexpr milliseconds time_when_asked{20'000};

Clock::duration seconds_of(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{s});
}

// The signals that concern us, as a descriptor for poll().
class Signals {
  public:
    Signals() {
        ::sigemptyset(&wanted_);
        for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&wanted_, number);
        ::sigprocmask(SIG_BLOCK, &wanted_, &before_);
        descriptor_ = Descriptor{::signalfd(-1, &wanted_, SFD_NONBLOCK | SFD_CLOEXEC)};
        if (!descriptor_.open()) throw std::system_error{errno, std::generic_category(), "signalfd"};
    }
    const sigset_t& before() const { return before_; }
    int descriptor() const { return descriptor_.get(); }

    // The last signal that asks us to stop, if any; SIGCHLD only wakes poll().
    std::optional<int> stop_asked() {
        std::optional<int> stop;
        signalfd_siginfo info{};
        while (::read(descriptor_.get(), &info, sizeof info) == sizeof info) {
            if (info.ssi_signo != SIGCHLD) stop = static_cast<int>(info.ssi_signo);
        }
        return stop;
    }

  private:
    sigset_t wanted_{};
    sigset_t before_{};
    Descriptor descriptor_;
};

class Supervision {
  public:
    Supervision(const ChildRequest& request, Output& output)
        : output_(output),
          keep_(request.keep),
          began_(Clock::now()),
          grace_(seconds_of(request.grace_s)),
          may_be_asked_(request.ends_when_asked) {
        // Children whose parent is gone become ours, so that they can be ended too.
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        child_ = start(request.command, request.with_record, signals_.before());
        limit_ = began_ + seconds_of(request.deadline_s);
    }

    ChildEnd run() {
        while (!ended()) {
            if (Clock::now() >= limit_) {
                if (over_) {
                    end_.how = ChildEnd::How::unkillable;
                    break;
                }
                if (asked_by_ != 0)
                    kill_for(ChildEnd::How::interrupted, asked_by_);
                else
                    kill_for(ChildEnd::How::hung, 0);
            }
            wait_until(limit_);
        }
        end_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        clear_up();
        read_exec_error();
        return std::move(end_);
    }

  private:
    // Looks without reaping: until it is reaped its process group id belongs to it, and can be killed.
    bool ended() {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(child_.process), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return false;
        if (info.si_pid == 0) return false;
        if (!over_) {
            end_.how = info.si_code == CLD_EXITED ? ChildEnd::How::exited : ChildEnd::How::signalled;
            end_.code = info.si_status;
            over_ = true;  // a signal to us that comes later changes nothing
        }
        return true;
    }

    void kill_for(ChildEnd::How why, int code) {
        end_.how = why;
        end_.code = code;
        over_ = true;
        ::kill(-child_.process, SIGKILL);
        limit_ = Clock::now() + grace_;
    }

    void stop_for(int signal) {
        if (!may_be_asked_) return kill_for(ChildEnd::How::interrupted, signal);
        may_be_asked_ = false;  // once
        asked_by_ = signal;
        ::kill(child_.process, SIGTERM);
        limit_ = std::min(limit_, Clock::now() + time_when_asked);
    }

    void wait_until(Clock::time_point when) {
        // Rounded up: a deadline half a millisecond away must not spin.
        const auto left = std::chrono::ceil<milliseconds>(when - Clock::now()).count();
        pollfd watched[] = {{signals_.descriptor(), POLLIN, 0},
                            {child_.output.get(), POLLIN, 0},
                            {child_.record.get(), POLLIN, 0},
                            {output_.waiting() ? output_.descriptor() : -1, POLLOUT, 0}};
        if (::poll(watched, 4, static_cast<int>(std::clamp<long>(left, 0, 3'600'000))) <= 0) return;
        if (watched[0].revents != 0) {
            const auto stop = signals_.stop_asked();
            if (stop && !over_) stop_for(*stop);
        }
        read_pipes();
        if (watched[3].revents != 0) output_.write_some();
    }

    void read_pipes() {
        read_pipe(child_.output, [&](std::string_view text) { output_.add(text); });
        read_pipe(child_.record, [&](std::string_view text) {
            const auto room = record_file_limit - end_.record.size();
            end_.record += text.substr(0, room);
            if (text.size() > room) end_.record_cut = true;
            const bool whole = text.substr(0, room).find('\n') != std::string_view::npos;
            end_.record.erase(0, last_whole_line_begins(end_.record));
            // A child that does not listen, or is gone, misses nothing.
            if (whole && keep_ && keep_(last_whole_line(end_.record)))
                (void)::send(child_.record.get(), "k", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
        });
    }

    template <typename Take>
    void read_pipe(Descriptor& pipe, Take take) {
        char buffer[16 * 1024];
        // A bounded number of turns: a child that prints without end must not hide the deadline.
        for (int turn = 0; turn < 16 && pipe.open(); ++turn) {
            const auto got = ::read(pipe.get(), buffer, sizeof buffer);
            if (got > 0) take({buffer, static_cast<std::size_t>(got)});
            if (got == 0) pipe.close();
            if (got < 0 && errno != EINTR) return;
        }
    }

    void drain() {
        const auto until = Clock::now() + drain_time;
        read_pipes();
        while ((child_.output.open() || child_.record.open()) && Clock::now() < until) wait_until(until);
    }

    void clear_up() {
        const bool gone = end_.how != ChildEnd::How::unkillable;
        drain();
        ::kill(-child_.process, SIGKILL);
        if (gone) {
            while (::waitpid(child_.process, nullptr, 0) < 0 && errno == EINTR) {}
            end_leftovers();
            read_pipes();
        }
    }

    void read_exec_error() {
        int reason = 0;
        if (::read(child_.exec_error.get(), &reason, sizeof reason) != sizeof reason) return;
        end_.how = ChildEnd::How::not_started;
        end_.code = reason;
    }

    Signals signals_;
    Output& output_;
    std::function<bool(std::string_view)> keep_;
    Clock::time_point began_;
    Clock::duration grace_;
    Clock::time_point limit_;
    Started child_;
    ChildEnd end_;
    bool may_be_asked_;
    int asked_by_ = 0;   // the signal for which it was asked to come to its end
    bool over_ = false;  // how it ends is known: it has ended, or SIGKILL is on its way
};

}  // namespace

ChildEnd run_child(const ChildRequest& request, Output& output) {
    ChildEnd end = Supervision{request, output}.run();
    output.flush(flush_time);
    return end;
}

}  // namespace peerproof::supervise
