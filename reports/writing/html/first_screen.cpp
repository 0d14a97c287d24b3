// What must be known first: the verdict in words with its reason, what was counted beside what had to be, and
// of which bench. The page's <main> begins here.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/verdict_meaning.hpp"
#include "session/fingerprint.hpp"

namespace peerproof::html {
namespace {

constexpr std::size_t reasons_at_once = 12;

std::string reasons(const Verdict& verdict) {
    std::string items;
    for (std::size_t i = 0; i < verdict.reasons.size() && i < reasons_at_once; ++i)
        items += fmt::format("<li>{}</li>\n", text(verdict.reasons[i].text, 1000));
    if (verdict.reasons.size() > reasons_at_once)
        items +=
            fmt::format("<li>and {} more, in report.txt</li>\n", verdict.reasons.size() - reasons_at_once);
    if (verdict.reasons.size() == 1)
        return fmt::format("<p><b>Reason:</b> {}</p>\n", text(verdict.reasons[0].text, 1000));
    return items.empty() ? "" : "<p><b>Reasons:</b></p>\n<ul>" + items + "</ul>\n";
}

std::string row(const char* name, const std::optional<Signature>& signature, const Signature& seen,
                bool computed) {
    if (!signature) return "";
    const bool same = computed || (signature->failures == seen.failures && signature->checks == seen.checks &&
                                   signature->pairs == seen.pairs);
    return fmt::format(
        "<tr class=\"{}\"><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td>{}</td></tr>\n",
        same ? "here" : "", name, signature->pairs, signature->checks, signature->failures,
        signature->records, signature->not_known,
        computed ? ""
        : same   ? "the same"
                 : "differs");
}

std::string signature(const Verdict& verdict) {
    if (!verdict.signature) return "<p>Signature: unknown, there is no plan.</p>\n";
    return "<div class=\"wide\"><table class=\"signature\"><caption>Signature: counted in this session, and "
           "what the number of "
           "cards says it must be</caption>\n<thead><tr><th></th><th scope=\"col\">pairs</th><th "
           "scope=\"col\">checks</th>"
           "<th scope=\"col\">failures</th><th scope=\"col\">records</th><th scope=\"col\">not "
           "known</th><th></th></tr></thead>\n<tbody>\n" +
           row("computed here", verdict.signature, *verdict.signature, true) +
           row("an open bench", verdict.if_open, *verdict.signature, false) +
           row("a locked bench", verdict.if_locked, *verdict.signature, false) + "</tbody></table></div>\n";
}

std::string fact(const std::string& name, const std::string& markup) {
    return fmt::format("<dt>{}</dt><dd>{}</dd>\n", text(name, 60), markup);
}

std::string cards(const Plan& plan) {
    std::map<std::string, int> names;
    for (const Gpu& gpu : plan.gpus) ++names[one_line(gpu.name, 60)];
    std::vector<std::string> kinds;
    for (const auto& [name, count] : names) kinds.push_back(fmt::format("{} x {}", count, name));
    return text(kinds.empty() ? "none" : some_of(kinds, 300));
}

std::string facts(const View& view) {
    std::string list;
    const Verdict& verdict = view.verdict;
    if (const auto& plan = view.session().plan) {
        const auto host = plan->environment.find("host");
        const std::string where = host == plan->environment.end() ? "a host without a name" : host->second;
        list +=
            fact("Bench", (verdict.simulated ? "simulated " + text(*verdict.simulated, 100) + ", on " : "") +
                              text(where, 100));
        list += fact("Cards", cards(*plan));
        const Fingerprint print = fingerprint_of(*plan);
        list += fact("Driver", print.at("driver").empty() ? "unknown" : text(print.at("driver"), 200));
        list += fact("Fingerprint", "<span class=\"mono\">" + code_of(print) + "</span>");
        list += fact("Started", text(plan->started, 40));
        list += fact("Suite", "peerproof " + text(plan->suite, 40));
    } else {
        list += fact("Plan", "none: " + text(view.session().why_no_plan, 500));
    }
    list += fact("Session", "<span class=\"mono\">" + text(view.session().id, 100) + "</span>");
    return "<dl class=\"facts\">" + list + "</dl>\n";
}

std::string failing(const View& view) {
    std::set<std::vector<int>> pairs;
    for (const auto* entry : view.ledger.of(Family::core)) {
        if (entry->was_refuted()) pairs.insert(entry->planned->gpus);
    }
    if (pairs.empty()) return "";
    std::vector<std::string> names;
    for (const auto& pair : pairs) names.push_back(place_name(pair));
    std::string line =
        fmt::format("<p><b>Failing pairs:</b> {} of {}", pairs.size(), view.verdict.signature->pairs);
    if (names.size() < static_cast<std::size_t>(view.verdict.signature->pairs))
        line += ": " + text(some_of(names, 300), 320);
    line += "</p>\n";
    if (!view.verdict.common_factor.empty())
        line += fmt::format("<p><b>In common:</b> {}</p>\n", text(view.verdict.common_factor, 300));
    return line;
}

}  // namespace

std::string first_screen(const View& view) {
    const Verdict& verdict = view.verdict;
    const std::string expected = text(verdict.expected_text, 500);
    const bool by_word = verdict.expected && *verdict.expected != Expectation::baseline;
    return fmt::format(
               "<header>\n<p class=\"quiet\">peerproof: does peer-to-peer memory access work between the "
               "cards of this "
               "bench?</p>\n<h1>{} <span class=\"stamp {}\">{}</span></h1>\n"
               "<p class=\"verdict\">{}</p>\n",
               text(spaced(to_string(verdict.word))), verdict.as_expected ? "held" : "refuted",
               verdict.as_expected ? "as expected"
               : by_word           ? "expected: " + expected
                                   : "not as expected",
               text(meaning_of(verdict.word))) +
           reasons(verdict) + failing(view) +
           fmt::format("<p><b>Next:</b> {}</p>\n", text(next_step_for(verdict.word))) +
           "<div class=\"first\"><div>" + signature(verdict) +
           fmt::format("<p class=\"quiet\">expected: {}, exit code {}</p></div>\n<div>", expected,
                       verdict.exit_code) +
           facts(view) + "</div></div>\n</header>\n<main>\n";
}

}  // namespace peerproof::html
