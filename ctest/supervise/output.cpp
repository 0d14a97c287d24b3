#include "ctest/supervise/output.hpp"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "session/format.hpp"
#include "session/record.hpp"

namespace peerproof::supervise {

Output::Output(int to, int log, std::uint64_t limit) : to_(to), log_(log), limit_(limit) {}

void Output::add(std::string_view text) {
    if (text.empty()) return;
    tail_ += text;
    if (tail_.size() > 4 * record_log_limit) tail_.erase(0, tail_.size() - record_log_limit);

    const auto room = seen_ < limit_ ? limit_ - seen_ : 0;
    copy(text.substr(0, std::min<std::uint64_t>(room, text.size())));
    const bool was_whole = seen_ <= limit_;
    seen_ += text.size();
    if (was_whole && seen_ > limit_) say(format("supervise: more than {} bytes; no more is copied", limit_));
}

void Output::say(std::string_view text) {
    if (mid_line_) copy("\n");
    copy(text);
    if (!text.ends_with('\n')) copy("\n");
}

void Output::copy(std::string_view text) {
    if (text.empty()) return;
    mid_line_ = text.back() != '\n';
    pending_ += text;
    while (log_ >= 0 && !text.empty()) {
        const auto written = ::write(log_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;  // a full disk: the record will say so, the log only helps a reader
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void Output::write_some() {
    // POLLOUT promises room for PIPE_BUF bytes in a pipe, no more.
    const auto written = ::write(to_, pending_.data(), std::min<std::size_t>(pending_.size(), PIPE_BUF));
    if (written > 0) pending_.erase(0, static_cast<std::size_t>(written));
    if (written < 0 && errno != EINTR && errno != EAGAIN) broken_ = true;
}

void Output::flush(std::chrono::milliseconds at_most) {
    const auto until = std::chrono::steady_clock::now() + at_most;
    while (waiting()) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (left.count() <= 0) return;
        pollfd ready{to_, POLLOUT, 0};
        if (::poll(&ready, 1, static_cast<int>(left.count())) > 0) write_some();
    }
}

const std::string& Output::tail() {
    if (tail_.size() > record_log_limit) tail_.erase(0, tail_.size() - record_log_limit);
    return tail_;
}

}  // namespace peerproof::supervise
