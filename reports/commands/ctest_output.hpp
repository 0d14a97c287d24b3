// What ctest prints while it runs, understood line by line.
//
//   CtestOutput output;
//   output.take("12/42 Test #12: core.read.gpu0_to_gpu1 ...***Failed  0.31 sec");   // tests that have ended
//   output.done(), output.total(), output.running()
//
// A test that failed is told once its reason is known: the line of its output that begins with its name, or
// else the first. Pure. Nothing that decides is read from here: a line of a case's own output may look like
// one of ctest's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peerproof {

struct EndedTest {
    std::string name;
    bool failed = false;
    std::string result;  // "Passed", "Failed", "Timeout", "Skipped"
    double seconds = 0;
    std::string reason;  // of a test that failed, one line
};

class CtestOutput {
  public:
    std::vector<EndedTest> take(std::string_view line);
    std::vector<EndedTest> finish();  // there are no more lines

    int done() const { return done_; }
    int total() const { return total_; }
    int failed() const { return failed_; }
    const std::vector<std::string>& running() const { return running_; }

  private:
    void tell_pending(std::vector<EndedTest>& ended);

    int done_ = 0, total_ = 0, failed_ = 0;
    std::vector<std::string> running_;
    std::optional<EndedTest> pending_;  // failed, and its output is being read
};

}  // namespace peerproof
