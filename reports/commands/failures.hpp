// The tests that failed, for a terminal: those that differ in their place alone are one line.
//
//   Failures failures;
//   failures.add(test);
//   failures.lines(100, paint)   // {"failed read: illegal address, 6 pairs: word: ... answered 700 ..."}
//
// Another outcome, or another reason, is another line. ctest.log and every report have each case.
#pragma once

#include <string>
#include <vector>

#include "reports/commands/ctest_output.hpp"
#include "reports/writing/terminal/paint.hpp"

namespace peerproof {

class Failures {
  public:
    void add(const EndedTest& test);
    // One for each kind, in the order of their first tests, at most `width` characters before it is painted.
    std::vector<std::string> lines(std::size_t width, const Paint& paint) const;
    // Those of the kinds that grew since the last call.
    std::vector<std::string> news(std::size_t width, const Paint& paint);

  private:
    struct Kind {
        std::string word;     // "failed", "timeout"
        std::string check;    // "read", "control fault"; the test's name where it has no place
        std::string outcome;  // "illegal address"; empty where the test does not say it so
        std::string reason;   // of the first test
        std::string alike;    // the reason without its places and numbers
        std::string first;    // name of the first test
        std::vector<std::string> places;
        bool varies = false;  // not all have the reason of the first
        std::size_t told = 0;
    };
    static std::string line(const Kind& kind, std::size_t width, const Paint& paint);

    std::vector<Kind> kinds_;
};

}  // namespace peerproof
