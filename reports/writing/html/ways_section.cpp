// The ways in which software reaches a peer: the line of the verdict, and what became of each.

#include "reports/judging/ways.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "session/format.hpp"

namespace peerproof::html {

Markup ways_section(const View& view) {
    const std::string line = ways_line(view.ledger);
    if (line.empty()) return {};
    const std::vector<Way> ways = ways_of(view.ledger);
    if (ways.empty())
        return section("ways", "Ways", compose("<p id=\"ways-line\">{}</p>\n", text(line, 1000)));
    Markup rows;
    for (const Way& way : ways) {
        for (const WayOutcome& one : way.outcomes) {
            const Ledger::Entry* first = one.entries.front();
            const bool all = one.entries.size() == way.planned;
            rows += row({text(way.name, 40), text(way.title, 100), text(way.is_required ? "required" : ""),
                         compose("{} {}", mark(first, 'W'), text(words(first))),
                         compose("{} of {}", one.entries.size(), way.planned), text(one.error, 100),
                         text(all ? "all" : some_of(one.pairs(), 300), 320)});
        }
    }
    return section(
        "ways", "Ways",
        compose("<p id=\"ways-line\">{}</p>\n", text(line, 1000)) +
            table({.caption = text("In which ways software reaches a peer, and what became of each. The "
                                   "evidence of a pair is behind its cell of the matrix."),
                   .head = head({"way", "what it does", "", "outcome", "pairs", "refused by", "which"}),
                   .rows = rows}));
}

}  // namespace peerproof::html
