// What must be known first: the verdict in words with its reason, what was counted beside what had to be, and
// of which bench. The page's <main> begins here.

#include <algorithm>
#include <map>
#include <set>

#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/verdict_meaning.hpp"
#include "session/fingerprint.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

constexpr std::size_t reasons_at_once = 12;

Markup reasons(const Verdict& verdict) {
    Markup items;
    for (std::size_t i = 0; i < verdict.reasons.size() && i < reasons_at_once; ++i)
        items += compose("<li>{}</li>\n", text(verdict.reasons[i].text, 1000));
    if (verdict.reasons.size() > reasons_at_once)
        items += compose("<li>and {} more, in report.txt</li>\n", verdict.reasons.size() - reasons_at_once);
    if (verdict.reasons.size() == 1)
        return compose("<p><b>Reason:</b> {}</p>\n", text(verdict.reasons[0].text, 1000));
    return items.empty() ? items : compose("<p><b>Reasons:</b></p>\n<ul>{}</ul>\n", items);
}

Markup signature_row(const char* name, const std::optional<Signature>& signature, const Signature& seen,
                     bool computed) {
    if (!signature) return {};
    const bool same = computed || (signature->failures == seen.failures && signature->checks == seen.checks &&
                                   signature->pairs == seen.pairs);
    return compose(
        "<tr class=\"{}\"><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td>{}</td></tr>\n",
        text(same ? "here" : ""), text(name), signature->pairs, signature->checks, signature->failures,
        signature->records, signature->not_known,
        text(computed ? ""
             : same   ? "the same"
                      : "differs"));
}

Markup signature(const Verdict& verdict) {
    if (!verdict.signature) return compose("<p>Signature: unknown, there is no plan.</p>\n");
    return table(
        {.caption = text("Signature: counted in this session, and what the number of GPUs says it must be"),
         .head = head({"", "pairs", "checks", "failures", "records", "not known", ""}),
         .rows = signature_row("computed here", verdict.signature, *verdict.signature, true) +
                 signature_row("an open bench", verdict.if_open, *verdict.signature, false) +
                 signature_row("a locked bench", verdict.if_locked, *verdict.signature, false),
         .style = "signature"});
}

Markup fact(std::string_view name, const Markup& value) {
    return compose("<dt>{}</dt><dd>{}</dd>\n", text(name, 60), value);
}

Markup gpus(const Plan& plan) {
    std::map<std::string, int> names;
    for (const Gpu& gpu : plan.gpus) ++names[one_line(gpu.name, 60)];
    std::vector<std::string> kinds;
    for (const auto& [name, count] : names) kinds.push_back(format("{} x {}", count, name));
    return text(kinds.empty() ? "none" : some_of(kinds, 300));
}

Markup facts(const View& view) {
    Markup list;
    const Verdict& verdict = view.verdict;
    if (const auto& plan = view.session().plan) {
        const auto host = plan->environment.find("host");
        const std::string where = host == plan->environment.end() ? "a host without a name" : host->second;
        list +=
            fact("Bench",
                 text(verdict.simulated ? "simulated " + one_line(*verdict.simulated, 100) + ", on " : "") +
                     text(where, 100));
        list += fact("GPUs", gpus(*plan));
        const Fingerprint print = fingerprint_of(*plan);
        list += fact("Driver", text(print.at("driver").empty() ? "unknown" : print.at("driver"), 200));
        list += fact("Fingerprint", compose("<span class=\"mono\">{}</span>", text(code_of(print))));
        list += fact("Started", text(plan->started, 40));
        list += fact("Suite", text("peerproof " + plan->suite, 50));
    } else {
        list += fact("Plan", text("none: " + view.session().why_no_plan, 500));
    }
    list += fact("Session", compose("<span class=\"mono\">{}</span>", text(view.session().id, 100)));
    return compose("<dl class=\"facts\">{}</dl>\n", list);
}

Markup failing(const View& view) {
    std::set<std::vector<int>> pairs;
    for (const auto* entry : view.ledger.of(Family::core)) {
        if (entry->was_refuted()) pairs.insert(entry->planned->gpus);
    }
    if (pairs.empty()) return {};
    std::vector<std::string> names;
    for (const auto& pair : pairs) names.push_back(place_name(pair));
    const auto all = static_cast<std::size_t>(view.verdict.signature->pairs);
    Markup line = compose("<p><b>Failing pairs:</b> {} of {}{}</p>\n", pairs.size(), all,
                          text(names.size() < all ? ": " + some_of(names, 300) : "", 320));
    if (!view.verdict.common_factor.empty())
        line += compose("<p><b>In common:</b> {}</p>\n", text(view.verdict.common_factor, 300));
    return line;
}

}  // namespace

Markup first_screen(const View& view) {
    const Verdict& verdict = view.verdict;
    const Markup expected = text(verdict.expected_text, 500);
    const bool by_word = verdict.ways_hold && verdict.expected && *verdict.expected != Expectation::baseline;
    return compose(
               "<header>\n<p class=\"quiet\">peerproof: does peer-to-peer memory access work between the "
               "GPUs of this bench?</p>\n<h1>{} <span class=\"stamp {}\">{}</span></h1>\n"
               "<p class=\"verdict\">{}</p>\n",
               text(spaced(to_string(verdict.word))), text(verdict.as_expected ? "held" : "refuted"),
               verdict.as_expected ? text("as expected")
               : by_word           ? compose("expected: {}", expected)
                                   : text("not as expected"),
               text(meaning_of(verdict.word))) +
           reasons(verdict) + failing(view) +
           compose(
               "<p><b>Next:</b> {}</p>\n<div class=\"first\"><div>{}<p class=\"quiet\">expected: {}, exit "
               "code {}</p></div>\n<div>{}</div></div>\n</header>\n<main>\n",
               text(next_step_for(verdict.word)), signature(verdict), expected, verdict.exit_code,
               facts(view));
}

}  // namespace peerproof::html
