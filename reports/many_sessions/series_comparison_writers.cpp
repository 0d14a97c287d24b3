// The comparison of two series as text, Markdown, JSON and HTML.

#include <nlohmann/json.hpp>

#include "reports/many_sessions/series_comparison.hpp"
#include "reports/many_sessions/series_words.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/markdown_report.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t most_changes = 300;  // in Markdown

constexpr const char* how_it_is_decided =
    "Verdicts and checks: Fisher's exact test, one-sided, 5 %, over all checks that could have shown a "
    "difference (Tarone). "
    "Measurements: the medians of the runs, where intervals of order statistics do not meet that cover them "
    "with 95 % and of which "
    "with 95 % no two are apart by chance. Runs without a verdict do not count.";

std::string effect_of(const SeriesChange& change) {
    const char* word = change.effect == Effect::worse ? "worse" : "better";
    return change.decided ? word : format("not decided whether {}", word);
}

std::string evidence_of(const SeriesChange& change) {
    std::string text = change.probability ? format("by chance {:.2g}", *change.probability)
                       : change.decided   ? "the intervals do not meet"
                                          : "too few runs: all of one are beyond all of the other";
    if (!change.decided && change.enough)
        text += format("; {} and {} runs would tell", change.enough->first, change.enough->second);
    return text;
}

std::string side_text(const SeriesComparison::Side& side) {
    return format("{}; verdict {}; {} with a verdict not as expected, at most {} ({})", side.of,
                  to_string(side.verdict), failed_of(side.not_as_expected), at_most(side.not_as_expected),
                  side.from);
}

nlohmann::ordered_json side_json(const SeriesComparison::Side& side) {
    return {{"runs", side.not_as_expected.of + side.no_verdict},
            {"runs_without_verdict", side.no_verdict},
            {"verdict", to_string(side.verdict)},
            {"of", side.of},
            {"from", side.from},
            {"not_as_expected",
             {{"failed", side.not_as_expected.failed},
              {"of", side.not_as_expected.of},
              {"rate_at_most", failure_rate_at_most(side.not_as_expected)}}}};
}

std::string compared_text(const SeriesComparison& comparison) {
    return format("compared: {} and {}", counted(comparison.checks, "check"),
                  counted(comparison.measurements, "measurement"));
}

}  // namespace

std::string comparison_text(const SeriesComparison& comparison) {
    std::string text = comparison.banner.empty() ? "" : comparison.banner + "\n";
    text +=
        wrapped(side_text(comparison.before), "before: ") + wrapped(side_text(comparison.after), "after: ");
    text += compared_text(comparison) + "\n";
    std::string kind;
    for (const SeriesChange& change : comparison.changes) {
        if (change.kind != kind) text += format("\n{}\n", kind = change.kind);
        text += wrapped(format("{}: {}: {} -> {}: {}", effect_of(change), change.where, change.before,
                               change.after, evidence_of(change)),
                        "- ");
    }
    text += "\n" + wrapped(how_it_is_decided, "  ");
    for (const std::string& remark : comparison.remarks) text += wrapped(remark, "- ");
    return text + format("\nresult: {}\n", comparison.result());
}

std::string comparison_markdown(const SeriesComparison& comparison) {
    std::string text =
        comparison.banner.empty() ? "" : "> **" + markdown_text(comparison.banner, 600) + "**\n\n";
    text += format("## peerproof: {}\n\n**before:** {}  \n**after:** {}  \n{}\n",
                   markdown_text(comparison.result(), 300), markdown_text(side_text(comparison.before), 500),
                   markdown_text(side_text(comparison.after), 500), compared_text(comparison));
    if (!comparison.changes.empty())
        text += "\n| | what | before | after | evidence |\n|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < comparison.changes.size() && i < most_changes; ++i) {
        const SeriesChange& change = comparison.changes[i];
        text +=
            format("| {} | {} | {} | {} | {} |\n", effect_of(change), markdown_text(change.where, 120),
                   markdown_text(change.before, 120), markdown_text(change.after, 120), evidence_of(change));
    }
    if (comparison.changes.size() > most_changes)
        text += format("\nand {} more\n", comparison.changes.size() - most_changes);
    text += format("\n{}\n", how_it_is_decided);
    for (const std::string& remark : comparison.remarks) text += format("\n{}\n", markdown_text(remark, 600));
    return text;
}

std::string comparison_json(const SeriesComparison& comparison) {
    using Json = nlohmann::ordered_json;
    Json changes = Json::array();
    for (const SeriesChange& change : comparison.changes) {
        Json one{{"kind", change.kind},
                 {"where", change.where},
                 {"before", change.before},
                 {"after", change.after},
                 {"effect", change.effect == Effect::worse ? "worse" : "better"},
                 {"decided", change.decided},
                 {"probability", change.probability ? Json(*change.probability) : Json(nullptr)},
                 {"enough_runs", nullptr}};
        if (change.enough) one["enough_runs"] = {change.enough->first, change.enough->second};
        changes.push_back(one);
    }
    const Json all{{"schema", "peerproof.series_comparison/1"},
                   {"banner", comparison.banner},
                   {"result", comparison.result()},
                   {"exit_code", comparison.exit_code()},
                   {"significance", significance},
                   {"before", side_json(comparison.before)},
                   {"after", side_json(comparison.after)},
                   {"checks", comparison.checks},
                   {"measurements", comparison.measurements},
                   {"remarks", comparison.remarks},
                   {"changes", changes}};
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_html(const SeriesComparison& comparison) {
    html::Frame frame{.title = "peerproof: " + comparison.result(), .banner = comparison.banner};
    frame.simulated = comparison.banner.find("SIMULATED") != std::string::npos;
    frame.self_check = comparison.banner.find("SELF-CHECK") != std::string::npos;
    html::Markup rows, remarks;
    for (const SeriesChange& change : comparison.changes)
        rows +=
            html::row({html::text(change.where, 300), html::text(effect_of(change)),
                       html::text(evidence_of(change)), html::text(change.before), html::text(change.after)});
    for (const std::string& remark : comparison.remarks)
        remarks += html::compose("<li>{}</li>\n", html::text(remark, 600));
    frame.body = html::compose(
        "<header><h1>{}</h1>\n<p>before: {}<br>after: "
        "{}<br>{}</p></header>\n<main>\n{}<p>{}</p>\n{}</main>\n",
        html::text(comparison.result()), html::text(side_text(comparison.before), 600),
        html::text(side_text(comparison.after), 600), html::text(compared_text(comparison)),
        rows.empty() ? rows
                     : html::table({.caption = html::text("What differs"),
                                    .head = html::head({"what", "effect", "evidence", "before", "after"}),
                                    .rows = rows}),
        html::text(how_it_is_decided, 800),
        remarks.empty() ? remarks : html::compose("<ul>\n{}</ul>\n", remarks));
    return html::page(frame);
}

}  // namespace peerproof
