// Every planned case, one row. Rows are in the order of the ledger, so that report.js finds the evidence of
// row i at i. The end tags of rows and cells are left out, as HTML allows: there may be thousands.
#include <set>

#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"

namespace peerproof::html {
namespace {

constexpr std::size_t summary_limit = 160;

const char* fate(const Ledger::Entry& entry) {
    if (entry.record == nullptr || entry.is(Outcome::not_started) || entry.does_not_apply()) return "not run";
    if (entry.is_refused_way()) return "finding";
    if (entry.holds()) return "held";
    return entry.planned->gates ? "failed" : "finding";
}

char initial(const Ledger::Entry& entry) {
    const char letter = entry.planned->check.empty() ? ' ' : entry.planned->check.front();
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : '+';
}

Markup case_row(const Ledger::Entry& entry) {
    const Markup seconds = entry.record ? compose("{:.3f}", entry.record->seconds) : Markup();
    return compose("<tr{}><td>{}<td>{} {}<td>{}<td class=number>{}<td>{}\n",
                   entry.holds() ? compose(" class=fine") : Markup(), text(entry.planned->id),
                   mark(&entry, initial(entry)), text(words(&entry)), text(fate(entry)), seconds,
                   entry.record ? text(entry.record->summary, summary_limit) : Markup());
}

Markup options(const std::set<std::string>& values) {
    Markup list = compose("<option value=\"\">all</option>");
    for (const std::string& value : values) list += compose("<option>{}</option>", text(value, 60));
    return list;
}

}  // namespace

Markup cases_section(const View& view) {
    if (view.ledger.entries().empty()) return {};
    std::set<std::string> families, outcomes, fates;
    Markup rows;
    for (const Ledger::Entry& entry : view.ledger.entries()) {
        families.insert(std::string{to_string(entry.planned->family)});
        outcomes.insert(words(&entry));
        fates.insert(fate(entry));
        rows += case_row(entry);
    }
    const Markup filters = compose(
        "<form class=\"filters screen\" id=\"filters\" role=\"search\" aria-label=\"Filter the cases\" "
        "hidden>"
        "<label>words, all of them<input type=\"search\" id=\"filter-text\" placeholder=\"read gpu3 zeros\" "
        "autocomplete=\"off\"></label>"
        "<label>family<select id=\"filter-family\">{}</select></label><label>outcome<select "
        "id=\"filter-outcome\">{}</select></label>"
        "<label>result<select id=\"filter-fate\">{}</select></label><output id=\"filter-count\" "
        "for=\"filter-text filter-family "
        "filter-outcome filter-fate\"></output></form>\n",
        options(families), options(outcomes), options(fates));
    const Markup caption =
        compose("{} cases, in the order in which they were planned. On paper those that held are left out.",
                view.ledger.entries().size());
    const Markup top = compose(
        "<colgroup><col class=\"c1\"><col class=\"c2\"><col class=\"c3\"><col class=\"c4\"><col></colgroup>\n"
        "<thead><tr><th scope=\"col\">case</th><th scope=\"col\">outcome</th><th scope=\"col\">result</th>"
        "<th scope=\"col\" class=\"number\">seconds</th><th scope=\"col\">what was seen</th></tr></thead>\n");
    return section("cases", "Every case",
                   filters + table({.caption = caption, .head = top, .rows = rows, .style = "cases"}));
}

}  // namespace peerproof::html
