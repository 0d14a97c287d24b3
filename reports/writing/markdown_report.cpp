#include "reports/writing/markdown_report.hpp"

#include <array>
#include <set>

#include "reports/judging/again.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/findings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/soak.hpp"
#include "reports/judging/ways.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/check_rows.hpp"
#include "reports/writing/memory_reached.hpp"
#include "reports/writing/outcome_marks.hpp"
#include "reports/writing/verdict_meaning.hpp"
#include "session/fingerprint.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t most_gpus = 32, most_findings = 40, most_failing = 40, most_reasons = 20;

std::string bold(std::string_view label, const std::string& markup) {
    return format("**{}:** {}  \n", label, markup);
}

std::string head(const Verdict& verdict, const Ledger& ledger) {
    std::string text;
    if (!verdict.banner().empty()) text += "> **" + markdown_text(verdict.banner(), 600) + "**\n\n";
    text += format("## {}peerproof: {} ({})\n\n{}\n\n",
                   verdict.simulated    ? "SIMULATED, "
                   : verdict.self_check ? "SELF-CHECK, "
                                        : "",
                   markdown_text(to_string(verdict.word), 40),
                   verdict.as_expected ? "as expected"
                   : verdict.ways_hold && verdict.expected && *verdict.expected != Expectation::baseline
                       ? "expected " + verdict.expected_text
                       : "not as expected",
                   meaning_of(verdict.word));
    if (verdict.expected == Expectation::baseline)
        text += bold("expected", markdown_text(verdict.expected_text, 400));
    for (std::size_t i = 0; i < verdict.reasons.size() && i < most_reasons; ++i)
        text += bold(i == 0 ? "reason" : "and", markdown_text(verdict.reasons[i].text, 600));
    if (verdict.reasons.size() > most_reasons)
        text += format("and {} more reasons  \n", verdict.reasons.size() - most_reasons);
    if (verdict.signature) text += bold("signature", "`" + verdict.signature->text() + "`");
    if (verdict.if_open)
        text += bold("an open bench", "`" + verdict.if_open->text() + "`") +
                bold("a locked bench", "`" + verdict.if_locked->text() + "`");
    if (!verdict.common_factor.empty()) text += bold("in common", markdown_text(verdict.common_factor, 300));
    if (const std::string line = ways_line(ledger); !line.empty())
        text += bold("ways", markdown_text(line, 8000));
    if (const std::string line = crowd_line(ledger); !line.empty())
        text += bold("crowd", markdown_text(line, 8000));
    if (const std::string line = soak_line(ledger); !line.empty())
        text += bold("soak", markdown_text(line, 8000));
    if (const std::string line = again_line(ledger); !line.empty())
        text += bold("again", markdown_text(line, 8000));
    return text + bold("next", std::string{next_step_for(verdict.word)}) + "\n";
}

std::string bench(const Session& session) {
    if (!session.plan) return "";
    std::string text;
    if (const auto host = session.plan->environment.find("host"); host != session.plan->environment.end())
        text += markdown_text(host->second, 100) + ", ";
    text += format("{} GPUs", session.plan->gpus.size());
    if (!session.plan->gpus.empty()) text += " (" + markdown_text(session.plan->gpus.front().name, 100) + ")";
    const std::string driver = fingerprint_of(*session.plan).at("driver");
    if (!driver.empty()) text += ", driver " + markdown_text(driver, 100);
    return bold("bench", text) +
           bold("started",
                markdown_text(session.plan->started, 40) + ", session " + markdown_text(session.id, 100)) +
           "\n";
}

std::string cell(const Ledger& ledger, int source, int destination, std::set<Outcome>& seen, bool& missing) {
    if (source == destination) return " ";
    std::string marks;
    for (const auto& [check, letter] :
         std::array{std::pair{"copy", 'c'}, std::pair{"read", 'r'}, std::pair{"write", 'w'}}) {
        const auto* entry = ledger.find(Family::core, check, {source, destination});
        const bool known = entry && entry->record;
        marks += known ? mark_of(entry->record->outcome, letter) : no_record_mark;
        missing |= !known;
        if (known) seen.insert(entry->record->outcome);
    }
    return "`" + marks + "`";
}

std::string matrix(const Ledger& ledger) {
    const int gpus = ledger.gpus();
    if (gpus < 2) return "";
    if (gpus > static_cast<int>(most_gpus))
        return format("The matrix of {} GPUs is in report.html.\n\n", gpus);
    std::string text = "| from \\ to |", rule = "|---|";
    std::set<Outcome> seen;
    bool missing = false;
    for (int to = 0; to < gpus; ++to) {
        text += format(" gpu{} |", to);
        rule += ":-:|";
    }
    text += "\n" + rule + "\n";
    for (int from = 0; from < gpus; ++from) {
        text += format("| **gpu{}** |", from);
        for (int to = 0; to < gpus; ++to) text += " " + cell(ledger, from, to, seen, missing) + " |";
        text += "\n";
    }
    text += "\n`c` `r` `w`: the copy, read, write delivered";
    for (const Outcome outcome : seen) {
        if (outcome != Outcome::delivered)
            text += format("; `{}` {}", mark_of(outcome, ' '), markdown_text(to_string(outcome), 40));
    }
    return text + (missing ? format("; `{}` no record", no_record_mark) : "") + "\n\n";
}

std::string rows(const Ledger& ledger) {
    std::string text = "| check | pairs | answers |\n|---|---|---|\n";
    for (const Row& row : rows_of(ledger)) {
        std::string answers;
        for (std::size_t i = 0; i < row.answers.size() && i < 6; ++i)
            answers += format("{}{} x {}", i == 0 ? "" : ", ", row.answers[i].second,
                              markdown_text(row.answers[i].first, 120));
        text += format("| {} | {} of {} | {} |\n", markdown_text(row.title, 80), row.held, row.of, answers);
    }
    return text + "\n";
}

std::string findings(const Verdict& verdict, bool about_not_run) {
    std::string text;
    std::size_t count = 0;
    for (const Finding& finding : verdict.findings) {
        if ((finding.word == not_run) != about_not_run || ++count > most_findings) continue;
        text += about_not_run ? "- " : format("- **{}**: ", markdown_text(finding.word, 80));
        text += markdown_text(finding.text, 500) + "\n";
    }
    if (count > most_findings) text += format("- and {} more, in report.html\n", count - most_findings);
    return text.empty() ? "" : format("### {}\n\n{}\n", about_not_run ? "Not run" : "Findings", text);
}

std::string reached(const Ledger& ledger) {
    std::string text;
    for (const std::string& line : reached_lines(ledger)) text += "- " + markdown_text(line, 500) + "\n";
    return text.empty() ? "" : "### Memory reached\n\n" + text + "\n";
}

std::string failing(const Ledger& ledger) {
    std::string text;
    std::size_t count = 0;
    for (const auto* entry : ledger.of(Family::core)) {
        if (!entry->was_refuted() || ++count > most_failing) continue;
        text += format("| {} | {} | {} |\n", markdown_text(entry->planned->id, 200),
                       markdown_text(to_string(entry->record->outcome), 40),
                       markdown_text(entry->record->summary, 200));
    }
    if (text.empty()) return "";
    if (count > most_failing) text += format("| and {} more | | in report.html |\n", count - most_failing);
    return "<details><summary>Failing core checks</summary>\n\n| case | outcome | what was seen "
           "|\n|---|---|---|\n" +
           text + "\n</details>\n\n";
}

}  // namespace

std::string markdown_text(std::string_view bytes, std::size_t limit) {
    constexpr std::string_view marks = "\\`*_{}[]()#+-!|~>@$:";
    std::string text;
    for (const char c : one_line(bytes, limit)) {
        if (c == '<')
            text += "&lt;";
        else if (c == '&')
            text += "&amp;";
        else if (marks.find(c) != std::string_view::npos)
            text += format("&#{};", static_cast<int>(c));
        else
            text += c;
    }
    return text;
}

std::string markdown_report(const Verdict& verdict, const Session& session) {
    const Ledger ledger(session);
    std::string text = head(verdict, ledger) + bench(session);
    // The most telling first: what does not fit is left out from the end, a part at a time.
    for (const std::string& part : {matrix(ledger), rows(ledger), findings(verdict, false), reached(ledger),
                                    failing(ledger), findings(verdict, true)}) {
        if (text.size() + part.size() + 80 <= markdown_limit) text += part;
    }
    return text + "Evidence of every case: report.html\n";
}

}  // namespace peerproof
