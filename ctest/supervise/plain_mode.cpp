#include <string.h>
#include <unistd.h>

#include "ctest/supervise/child.hpp"
#include "ctest/supervise/decide.hpp"
#include "ctest/supervise/modes.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"

namespace peerproof::supervise {

namespace {

// Enough for any list of cases; a program that prints without end must not fill CTest's memory.
constexpr std::uint64_t copied_bytes = 64 << 20;

struct Ending {
    int exit_code;
    std::string words;  // empty: nothing to add to what the program said itself
};

Ending ending_of(const ChildEnd& end) {
    using How = ChildEnd::How;
    switch (end.how) {
        case How::exited:
            return {end.code, ""};
        case How::signalled:
            return {exit_refuted, format("ended by {}", signal_name(end.code))};
        case How::not_started:
            return {exit_no_verdict, format("could not be started: {}", ::strerror(end.code))};
        case How::hung:
            return {exit_hung, format("killed after {:.1f} s: the deadline passed", end.seconds)};
        case How::unkillable:
            return {exit_unkillable, format("given up after {:.1f} s: SIGKILL did not end it", end.seconds)};
        case How::interrupted:
            return {exit_no_verdict, format("interrupted by {}", signal_name(end.code))};
    }
    return {exit_no_verdict, "ended in an unknown way"};
}

}  // namespace

int supervise_plain(const Options& options) {
    Output output{STDOUT_FILENO, -1, copied_bytes};
    const auto end = run_child(
        {.command = options.command, .deadline_s = *options.deadline_s, .grace_s = options.grace_s}, output);
    const auto ending = ending_of(end);
    if (!ending.words.empty()) output.say(format("supervise: {}: {}", options.command.front(), ending.words));
    output.flush(std::chrono::milliseconds{1000});
    return ending.exit_code;
}

}  // namespace peerproof::supervise
