// All GPUs at once: the line of the verdict, and what each flow carried beside all others.

#include "reports/judging/crowd.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "session/format.hpp"

namespace peerproof::html {

Markup crowd_section(const View& view) {
    const std::string line = crowd_line(view.ledger);
    if (line.empty()) return {};
    Markup body = compose("<p id=\"crowd-line\">{}</p>\n", text(line, 1000)), rows;
    for (const FlowRate& one : crowd_rates(view.ledger))
        rows += row({text(one.name, 60), text(format("{:.2f}", one.gb_per_s))});
    if (!rows.empty())
        body += table(
            {.caption = text("What each flow carried while all others went on beside it: its bytes over the "
                             "seconds from when all could begin to its end."),
             .head = head({"flow", "GB/s"}),
             .rows = rows});
    return section("crowd", "All GPUs at once", body);
}

}  // namespace peerproof::html
