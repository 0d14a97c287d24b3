#include "reports/writing/time_lines.hpp"

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {

std::string clock_line(const TimeSpent& spent) {
    if (spent.clock_seconds <= 0) return format("{:.1f} s of cases", spent.case_seconds);
    return format("{:.1f} s by the clock for {:.1f} s of cases ({:.1f} at once); {} of it no case ran",
                  spent.clock_seconds, spent.case_seconds, spent.case_seconds / spent.clock_seconds,
                  share_text(spent, spent.idle_seconds));
}

std::string share_text(const TimeSpent& spent, double seconds) {
    return spent.clock_seconds > 0 ? format("{:.0f} %", 100 * spent.share(seconds)) : "unknown";
}

std::string long_case_text(const LongCase& one) {
    return format("{} {:.2f} s", one_line(one.id, 100), one.seconds);
}

std::vector<std::string> time_lines(const TimeSpent& spent) {
    if (spent.families.empty()) return {};
    std::vector<std::string> lines{clock_line(spent), format("{:<12} {:>6} {:>10} {:>12}  {}", "family",
                                                             "cases", "seconds", "of the clock", "longest")};
    for (const FamilyTime& family : spent.families)
        lines.push_back(format("{:<12} {:>6} {:>10.1f} {:>12}  {}", to_string(family.family), family.cases,
                               family.seconds, share_text(spent, family.clock_seconds),
                               long_case_text(family.longest.front())));
    return lines;
}

}  // namespace peerproof
