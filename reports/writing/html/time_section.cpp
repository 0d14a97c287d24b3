// Where the time went: families, their share of the clock, their longest cases.

#include "reports/judging/time_spent.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/time_lines.hpp"
#include "session/format.hpp"

namespace peerproof::html {

Markup time_section(const View& view) {
    const TimeSpent spent = time_spent(view.ledger);
    if (spent.families.empty()) return {};
    Markup rows;
    for (const FamilyTime& family : spent.families) {
        std::vector<std::string> longest;
        for (const LongCase& one : family.longest) longest.push_back(long_case_text(one));
        rows += row({text(to_string(family.family)), compose("{}", family.cases),
                     text(format("{:.1f} s", family.seconds)), text(share_text(spent, family.clock_seconds)),
                     text(join(longest, ", "), 400)});
    }
    return section("time", "Where the time went",
                   table({.caption = text(clock_line(spent), 300),
                          .head = head({"family", "cases", "their seconds", "of the clock", "longest"}),
                          .rows = rows}));
}

}  // namespace peerproof::html
