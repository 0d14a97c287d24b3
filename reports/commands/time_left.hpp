// How long a session may still take: from its plan, from what a case of each check was expected to cost, and
// from what those that have ended took.
//
//   auto left = TimeLeft::of_session(folder, 8);   // null where there is no plan
//   left->beforehand();                            // how many tests, and about how long
//   left->take(ended);                             // each test that has ended
//   left->seconds(now);
//
// A check of which nothing has ended costs what was expected, times how much more or less the others took.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/commands/ctest_output.hpp"
#include "session/schedule.hpp"

namespace peerproof {

class TimeLeft {
  public:
    TimeLeft(Plan plan, CaseCosts expected, int jobs);
    static std::unique_ptr<TimeLeft> of_session(const std::filesystem::path& folder, int jobs);

    std::vector<std::string> beforehand() const;
    void take(const EndedTest& test);
    // Worked out anew every two seconds: `now` is any clock of seconds. None before the first case has ended.
    std::optional<double> seconds(double now);

  private:
    struct Seen {
        int cases = 0;
        double seconds = 0;
    };
    CaseCosts costs_by_now() const;

    Plan plan_;
    CaseCosts expected_;
    int jobs_;
    std::map<std::string, const Case*> by_id_;
    std::map<std::string, Seen> seen_;  // by check
    std::set<std::string> ended_;
    double expected_of_ended_ = 0, seconds_of_ended_ = 0;
    std::optional<double> worked_out_, at_;
};

}  // namespace peerproof
