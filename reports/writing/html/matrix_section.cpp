// Source x destination: three marks a cell, and beside it the place where report.js shows the evidence of a
// cell.

#include <set>

#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/outcome_marks.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

constexpr std::pair<const char*, char> core_checks[] = {{"copy", 'C'}, {"read", 'R'}, {"write", 'W'}};
constexpr int gpus_beside_evidence = 6;  // more, and the matrix takes the whole width

struct Seen {
    std::set<Outcome> outcomes;
    bool without_record = false;
};

Markup cell(const Ledger& ledger, int source, int destination, Seen& seen) {
    if (source == destination) return compose("<td class=\"self\" aria-hidden=\"true\">&middot;</td>");
    Markup marks;
    std::string label;
    for (const auto& [check, letter] : core_checks) {
        const auto* entry = ledger.find(Family::core, check, {source, destination});
        marks += mark(entry, letter);
        label += format("{} {} {}", label.empty() ? "" : ",", check, words(entry));
        if (entry && entry->record)
            seen.outcomes.insert(entry->record->outcome);
        else
            seen.without_record = true;
    }
    return compose(
        "<td><button type=\"button\" class=\"cell\" data-pair=\"{0} {1}\" aria-pressed=\"false\" "
        "aria-label=\"gpu{0} to gpu{1}:{2}\">{3}</button></td>",
        source, destination, text(label), marks);
}

Markup legend(const Seen& seen) {
    Markup items;
    for (const Outcome outcome : seen.outcomes) {
        if (outcome == Outcome::delivered) {
            for (const auto& [check, letter] : core_checks)
                items += compose("<li>{} {} delivered</li>", mark(outcome, letter), text(check));
        } else {
            items += compose("<li>{} {}</li>", mark(outcome, ' '), text(words(outcome)));
        }
    }
    if (seen.without_record) items += compose("<li>{} no record</li>", mark(nullptr, ' '));
    return compose("<ul class=\"legend\" aria-label=\"Marks\">{}</ul>\n", items);
}

}  // namespace

Markup matrix_section(const View& view) {
    const int gpus = view.ledger.gpus();
    if (gpus < 2)
        return section("pairs", "Pairs", compose("<p>Fewer than two GPUs: there is no pair.</p>\n"));
    Seen seen;
    Markup names, rows;
    for (int to = 0; to < gpus; ++to) names += compose("<th scope=\"col\">to gpu{}</th>", to);
    for (int from = 0; from < gpus; ++from) {
        Markup cells = compose("<th scope=\"row\">gpu{}</th>", from);
        for (int to = 0; to < gpus; ++to) cells += cell(view.ledger, from, to, seen);
        rows += compose("<tr>{}</tr>\n", cells);
    }
    const Markup matrix = table(
        {.head = compose("<thead><tr><th></th>{}</tr></thead>\n", names), .rows = rows, .style = "matrix"});
    return section(
        "pairs", "Pairs",
        compose(
            "<p class=\"quiet\">Rows are sources, columns destinations; in a cell copy, read, write. Arrow "
            "keys move, and the cell in focus shows its evidence.</p>\n{}<div class=\"pairs {}\">{}<div "
            "class=\"evidence\" id=\"evidence\" aria-live=\"polite\"><p class=\"quiet\">Choose a cell: "
            "stamps, bytes, diagnosis, hints, times and log of its pair come here. Without JavaScript they "
            "are in report.txt and records/.</p></div></div>\n",
            legend(seen), text(gpus > gpus_beside_evidence ? "stacked" : ""), matrix));
}

}  // namespace peerproof::html
