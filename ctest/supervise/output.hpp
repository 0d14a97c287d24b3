// What the child prints: copied to our standard output, to the log file, and its last bytes kept for the
// record.
//
// A reader of our standard output that does not read must not stop the deadline, so bytes wait in memory
// and are written only when poll() says that a write would not block.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace peerproof::supervise {

class Output {
  public:
    // Copies at most `limit` bytes of the child; a negative `log` means no log file.
    Output(int to, int log, std::uint64_t limit);

    void add(std::string_view from_child);
    void say(std::string_view own_words);  // supervise's own: never cut, and on a line of its own

    bool waiting() const { return !pending_.empty() && !broken_; }
    int descriptor() const { return to_; }
    void write_some();                              // after poll() said POLLOUT
    void flush(std::chrono::milliseconds at_most);  // before leaving
    const std::string& tail();                      // of what the child printed, record_log_limit bytes

  private:
    void copy(std::string_view text);

    int to_;
    int log_;
    std::uint64_t limit_;
    std::uint64_t seen_ = 0;
    bool mid_line_ = false;
    bool broken_ = false;
    std::string pending_;
    std::string tail_;
};

}  // namespace peerproof::supervise
