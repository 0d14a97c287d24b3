// Source x destination: three marks a cell, and beside it the place where report.js shows the evidence of a
// cell.
#include <fmt/format.h>

#include <set>

#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/outcome_marks.hpp"

namespace peerproof::html {
namespace {

constexpr std::pair<const char*, char> core_checks[] = {{"copy", 'C'}, {"read", 'R'}, {"write", 'W'}};
constexpr int cards_beside_evidence = 6;  // more, and the matrix takes the whole width

struct Seen {
    std::set<Outcome> outcomes;
    bool without_record = false;
};

std::string cell(const Ledger& ledger, int source, int destination, Seen& seen) {
    if (source == destination) return "<td class=\"self\" aria-hidden=\"true\">&middot;</td>";
    std::string marks, label;
    for (const auto& [check, letter] : core_checks) {
        const auto* entry = ledger.find(Family::core, check, {source, destination});
        marks += mark(entry, letter);
        label += fmt::format("{} {} {}", label.empty() ? "" : ",", check, words(entry));
        if (entry && entry->record)
            seen.outcomes.insert(entry->record->outcome);
        else
            seen.without_record = true;
    }
    return fmt::format(
        "<td><button type=\"button\" class=\"cell\" data-pair=\"{0} {1}\" aria-pressed=\"false\" "
        "aria-label=\"gpu{0} to gpu{1}:{2}\">{3}</button></td>",
        source, destination, label, marks);
}

std::string legend(const Seen& seen) {
    std::string items;
    for (const Outcome outcome : seen.outcomes) {
        if (outcome == Outcome::delivered) {
            for (const auto& [check, letter] : core_checks)
                items += fmt::format("<li>{} {} delivered</li>", mark(outcome, letter), check);
        } else {
            items += fmt::format("<li>{} {}</li>", mark(outcome, ' '), words(outcome));
        }
    }
    if (seen.without_record) items += fmt::format("<li>{} no record</li>", mark(nullptr, ' '));
    return "<ul class=\"legend\" aria-label=\"Marks\">" + items + "</ul>\n";
}

}  // namespace

std::string matrix_section(const View& view) {
    const int cards = view.ledger.gpus();
    if (cards < 2) return section("pairs", "Pairs", "<p>Fewer than two cards: there is no pair.</p>\n");
    Seen seen;
    std::string table =
        "<table class=\"matrix\"><caption>Rows are sources, columns destinations; in a cell copy, read, "
        "write. "
        "Arrow keys move, and the cell in focus shows its evidence.</caption>\n<thead><tr><th></th>";
    for (int to = 0; to < cards; ++to) table += fmt::format("<th scope=\"col\">to gpu{}</th>", to);
    table += "</tr></thead>\n<tbody>\n";
    for (int from = 0; from < cards; ++from) {
        table += fmt::format("<tr><th scope=\"row\">gpu{}</th>", from);
        for (int to = 0; to < cards; ++to) table += cell(view.ledger, from, to, seen);
        table += "</tr>\n";
    }
    table += "</tbody></table>";
    return section("pairs", "Pairs",
                   legend(seen) + fmt::format("<div class=\"pairs {}\"><div class=\"wide\">{}</div>\n<div "
                                              "class=\"evidence\" id=\"evidence\" "
                                              "aria-live=\"polite\"><p class=\"quiet\">Choose a cell: "
                                              "stamps, bytes, diagnosis, hints, times and "
                                              "log of its pair come here. Without JavaScript they are in "
                                              "report.txt and records/.</p></div></div>\n",
                                              cards > cards_beside_evidence ? "stacked" : "", table));
}

}  // namespace peerproof::html
