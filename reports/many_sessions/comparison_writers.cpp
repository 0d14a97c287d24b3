// A comparison as text, Markdown, JSON and HTML.

#include <nlohmann/json.hpp>

#include "reports/many_sessions/comparison.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/markdown_report.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t most_in_markdown = 300;

std::string_view word_of(Effect effect) {
    return effect == Effect::worse ? "worse" : effect == Effect::better ? "better" : "differs";
}

std::string summary_of(const Comparison& comparison) {
    if (comparison.changes.empty()) return "nothing changed";
    return format("{} changes: {} for the worse, {} for the better, {} neither", comparison.changes.size(),
                  comparison.count(Effect::worse), comparison.count(Effect::better),
                  comparison.count(Effect::other));
}

std::string verdicts_of(const Comparison& comparison) {
    return format("{} -> {}", to_string(comparison.verdict_before), to_string(comparison.verdict_after));
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
    std::string text = comparison.banner.empty() ? "" : comparison.banner + "\n";
    text += format("before: {}\nafter: {}\nverdict: {}\n{}\n", comparison.before, comparison.after,
                   verdicts_of(comparison), summary_of(comparison));
    std::string kind;
    for (const Change& change : comparison.changes) {
        if (change.kind != kind) text += format("\n{}\n", kind = change.kind);
        text += wrapped(
            format("{}: {}: {} -> {}", word_of(change.effect), change.where, change.before, change.after),
            "- ");
    }
    return text;
}

std::string comparison_markdown(const Comparison& comparison) {
    std::string text =
        comparison.banner.empty() ? "" : "> **" + markdown_text(comparison.banner, 600) + "**\n\n";
    text += format("## peerproof: {}\n\n**before:** {}  \n**after:** {}  \n{}\n", verdicts_of(comparison),
                   markdown_text(comparison.before, 400), markdown_text(comparison.after, 400),
                   summary_of(comparison));
    if (comparison.changes.empty()) return text;
    text += "\n| | what | before | after |\n|---|---|---|---|\n";
    for (std::size_t i = 0; i < comparison.changes.size() && i < most_in_markdown; ++i) {
        const Change& change = comparison.changes[i];
        text += format("| {} | {} | {} | {} |\n", word_of(change.effect), markdown_text(change.where, 120),
                       markdown_text(change.before, 120), markdown_text(change.after, 120));
    }
    if (comparison.changes.size() > most_in_markdown)
        text += format("\nand {} more\n", comparison.changes.size() - most_in_markdown);
    return text;
}

std::string comparison_json(const Comparison& comparison) {
    nlohmann::ordered_json changes = nlohmann::ordered_json::array();
    for (const Change& change : comparison.changes) {
        changes.push_back({{"kind", change.kind},
                           {"where", change.where},
                           {"before", change.before},
                           {"after", change.after},
                           {"effect", word_of(change.effect)}});
    }
    const nlohmann::ordered_json all{{"schema", "peerproof.comparison/1"},
                                     {"banner", comparison.banner},
                                     {"before", comparison.before},
                                     {"after", comparison.after},
                                     {"verdict_before", to_string(comparison.verdict_before)},
                                     {"verdict_after", to_string(comparison.verdict_after)},
                                     {"worse", comparison.worse()},
                                     {"changes", changes}};
    return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string comparison_html(const Comparison& comparison) {
    html::Frame frame{.title = "peerproof: " + verdicts_of(comparison), .banner = comparison.banner};
    frame.simulated = comparison.banner.find("SIMULATED") != std::string::npos;
    frame.self_check = comparison.banner.find("SELF-CHECK") != std::string::npos;
    html::Markup rows;
    for (const Change& change : comparison.changes)
        rows += html::row({html::text(change.where, 300), html::text(word_of(change.effect)),
                           html::text(change.kind), html::text(change.before), html::text(change.after)});
    frame.body = html::compose(
        "<header><h1>{}</h1>\n<p>{}</p>\n<p>before: {}<br>after: {}</p></header>\n<main>\n{}</main>\n",
        html::text(verdicts_of(comparison)), html::text(summary_of(comparison)),
        html::text(comparison.before, 500), html::text(comparison.after, 500),
        rows.empty() ? rows
                     : html::table({.caption = html::text("What changed"),
                                    .head = html::head({"what", "effect", "kind", "before", "after"}),
                                    .rows = rows}));
    return html::page(frame);
}

}  // namespace peerproof
