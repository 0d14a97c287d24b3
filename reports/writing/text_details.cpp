#include "reports/writing/text_details.hpp"

#include <algorithm>
#include <map>

#include "reports/judging/all_reduces.hpp"
#include "reports/judging/findings.hpp"
#include "reports/judging/hints.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/check_rows.hpp"
#include "reports/writing/first_difference.hpp"
#include "reports/writing/measurement_table.hpp"
#include "reports/writing/memory_reached.hpp"
#include "reports/writing/outcome_marks.hpp"
#include "reports/writing/time_lines.hpp"
#include "session/fingerprint.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr int columns_at_once = 16;  // 4 characters each: with the row's name, 74
constexpr std::size_t summary_limit = 300, log_lines = 8, log_line_limit = 120;

std::string heading(const std::string& title) {
    return "\n" + title + "\n" + std::string(title.size(), '-') + "\n";
}

char mark_of(const Ledger::Entry* entry, char delivered) {
    if (entry == nullptr || entry->record == nullptr) return no_record_mark;
    return peerproof::mark_of(entry->record->outcome, delivered);
}

std::string cell(const Ledger& ledger, int source, int destination) {
    if (source == destination) return " . ";
    std::string text;
    for (const auto& [check, letter] :
         {std::pair{"copy", 'c'}, std::pair{"read", 'r'}, std::pair{"write", 'w'}})
        text += mark_of(ledger.find(Family::core, check, {source, destination}), letter);
    return text;
}

std::string legend(const std::string& used) {
    std::string text = "c r w: the copy, read, write delivered";
    for (int i = 0; i < outcome_count; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        const char mark = peerproof::mark_of(outcome, ' ');
        if (outcome != Outcome::delivered && used.find(mark) != std::string::npos)
            text += format("; {} {}", mark, to_string(outcome));
    }
    if (used.find(no_record_mark) != std::string::npos) text += "; _ no record";
    return wrapped(text, "") + "Rows are sources, columns destinations.\n";
}

// What a failing case has to show: what its summary does not say already.
std::string evidence_of(const Record& record) {
    std::string text = wrapped(one_line(record.summary, summary_limit), "    ");
    const auto is_news = [&](const std::string& said) {
        return !said.empty() && record.summary.find(said) == std::string::npos;
    };
    for (const Step& step : record.steps) {
        if (step.outcome == Outcome::delivered) continue;
        if (step.mismatched_words == 0 && !is_news(step.error) && !is_news(step.detail)) continue;
        std::string line =
            format("{}: {}", one_line(step.name, 64),
                   step.diagnosis.empty() ? to_string(step.outcome) : one_line(step.diagnosis, 64));
        if (is_news(step.error))
            line += format(", {} answered {}", one_line(step.call, 80), one_line(step.error, 80));
        if (step.mismatched_words > 0) {
            line += format("; {} of {} words differ, {}", step.mismatched_words, step.bytes / 8,
                           first_difference(step));
        }
        if (is_news(step.detail)) line += "; " + one_line(step.detail, summary_limit);
        text += wrapped(line, "    - ");
    }
    return text;
}

std::string last_lines(const std::string& log) {
    std::vector<std::string> lines;
    for (std::size_t end = log.size(); end > 0 && lines.size() < log_lines;) {
        const std::size_t at = log.rfind('\n', end - 1);
        const std::size_t begin = at == std::string::npos ? 0 : at + 1;
        if (begin < end)
            lines.push_back(one_line(std::string_view(log).substr(begin, end - begin), log_line_limit));
        end = at == std::string::npos ? 0 : at;
    }
    std::string text;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) text += "    | " + *line + "\n";
    return text;
}

bool ended_badly(const Record& record) {
    return record.outcome == Outcome::hung || record.outcome == Outcome::crashed ||
           record.outcome == Outcome::unkillable || record.outcome == Outcome::inconclusive;
}

// All of a kind, or exactly which.
std::string places_of(const std::vector<const Ledger::Entry*>& entries, const Ledger& ledger) {
    const Case& kind = *entries.front()->planned;
    const auto of_kind = [&](const Ledger::Entry& entry) {
        return entry.planned->family == kind.family && entry.planned->check == kind.check;
    };
    const auto planned =
        static_cast<std::size_t>(std::count_if(ledger.entries().begin(), ledger.entries().end(), of_kind));
    if (entries.size() == planned && planned > 1) return format("all {}", planned);
    std::string list = format("{} of {}:", entries.size(), planned);
    for (const auto* entry : entries) list += " " + place_of(*entry->planned);
    return list;
}

// `failing` decides which cases are told. What is told of several cases in the same words is told once.
template <class Failing>
std::string told(const Ledger& ledger, const std::string& title, Failing failing) {
    std::map<std::pair<std::string, std::string>, std::vector<const Ledger::Entry*>> alike;
    std::vector<std::pair<std::string, std::string>> order;
    for (const Ledger::Entry& entry : ledger.entries()) {
        if (entry.record == nullptr || !failing(entry)) continue;
        const Record& record = *entry.record;
        const std::string what = one_line(format("{}.{}: {}", to_string(entry.planned->family),
                                                 entry.planned->check, to_string(record.outcome)),
                                          200);
        const std::pair key{what, evidence_of(record) + (ended_badly(record) ? last_lines(record.log) : "")};
        auto& entries = alike[key];
        if (entries.empty()) order.push_back(key);
        entries.push_back(&entry);
    }
    std::string text;
    for (const auto& key : order)
        text += wrapped(key.first + ", " + places_of(alike[key], ledger), "") + key.second;
    return text.empty() ? "" : heading(title) + text;
}

std::string reasons(const Verdict& verdict) {
    const bool said =
        verdict.reasons.size() == 1 && verdict.reasons.front().text.size() <= block_reason_limit;
    if (verdict.reasons.empty() || said) return "";
    std::string text = heading("Reasons");
    for (const Reason& reason : verdict.reasons) text += wrapped(one_line(reason.text, 1000), "- ");
    return text;
}

std::string signatures(const Verdict& verdict) {
    if (!verdict.if_open) return "";
    return format("an open bench: {}; a locked one: {}\n", verdict.if_open->text(),
                  verdict.if_locked->text());
}

std::string controls(const Ledger& ledger) {
    std::string text = heading("Controls");
    for (const Family family : {Family::control, Family::closing}) {
        const auto all = ledger.of(family);
        if (family == Family::closing && all.empty()) continue;
        const auto held =
            std::count_if(all.begin(), all.end(), [](const auto* entry) { return entry->holds(); });
        text +=
            format("{}{} of {} held\n", family == Family::closing ? "at the end: " : "", held, all.size());
    }
    return text;
}

std::string measurements(const Ledger& ledger) {
    std::string text;
    for (const std::string& line : measurement_table(ledger)) text += line + "\n";
    for (const std::string& line : measurement_notes(ledger)) text += wrapped(line, "- ");
    return text.empty() ? "" : heading("Measurements") + text;
}

std::string reached(const Ledger& ledger) {
    std::string text;
    for (const std::string& line : reached_lines(ledger)) text += wrapped(line, "- ");
    return text.empty() ? "" : heading("Memory reached") + text;
}

std::string collective(const Ledger& ledger) {
    std::string text;
    for (const std::string& line : collective_paths(ledger)) text += wrapped(line, "- ");
    return text.empty() ? "" : heading("Collective") + text;
}

std::string findings(const Verdict& verdict, bool about_not_run) {
    std::string text;
    for (const Finding& finding : verdict.findings) {
        const bool is_not_run = finding.word == not_run;
        if (is_not_run != about_not_run) continue;
        text +=
            wrapped(is_not_run ? one_line(finding.text, 1000)
                               : format("{}: {}", one_line(finding.word, 80), one_line(finding.text, 1000)),
                    "- ");
    }
    if (text.empty()) text = "none\n";
    return heading(about_not_run ? "Not run" : "Findings") + text;
}

std::string hints(const Ledger& ledger) {
    std::string text;
    for (const std::string& line : hint_lines(ledger)) text += wrapped(line, "- ");
    return text.empty() ? "" : heading("Hints: printed beside the truth, and decide nothing") + text;
}

std::string time_went(const Ledger& ledger) {
    std::string text;
    for (const std::string& line : time_lines(time_spent(ledger))) text += line + "\n";
    return text.empty() ? "" : heading("Where the time went") + text;
}

std::string bench(const Verdict& verdict, const Session& session) {
    std::string text = heading("Bench");
    if (!verdict.banner().empty()) text += verdict.banner() + "\n";
    if (session.plan) {
        for (const Gpu& gpu : session.plan->gpus) {
            text += format("gpu{:<2} {} {}  {}, {:.1f} GiB, compute {}\n", gpu.index,
                           one_line(gpu.bus_id, 40), one_line(gpu.uuid, 60), one_line(gpu.name, 100),
                           static_cast<double>(gpu.memory_bytes) / (1 << 30),
                           one_line(gpu.compute_capability, 20));
        }
        for (const auto& [name, value] : session.plan->environment)
            text += format("{}: {}\n", one_line(name, 80), one_line(value, 400));
        text += format("fingerprint: {} (GPUs, driver, kernel, boot, NCCL)\n",
                       code_of(fingerprint_of(*session.plan)));
        text +=
            format("peerproof {}, started {}, deadline of a case {} s\n", one_line(session.plan->suite, 40),
                   one_line(session.plan->started, 40), session.plan->deadline_s);
    }
    text += format("session {} in {}\n", one_line(session.id, 100), one_line(session.folder, 1000));
    return text +
           "reports: report.html to look at, report.md to quote, report.txt report.json junit.xml\n"
           "everything that a case printed: logs/<case>.log\n";
}

}  // namespace

std::string matrix(const Ledger& ledger) {
    std::string text, used;
    for (int first = 0; first < ledger.gpus(); first += columns_at_once) {
        const int end = std::min(ledger.gpus(), first + columns_at_once);
        text += format("{:<9}", "from \\ to");
        for (int destination = first; destination < end; ++destination)
            text += format("{:>4}", format("g{}", destination));
        text += "\n";
        for (int source = 0; source < ledger.gpus(); ++source) {
            text += format("{:<9}", format("gpu{}", source));
            for (int destination = first; destination < end; ++destination) {
                const std::string marks_here = cell(ledger, source, destination);
                text += " " + marks_here;
                if (source != destination) used += marks_here;  // the dot of a GPU with itself is no outcome
            }
            text.erase(text.find_last_not_of(' ') + 1);
            text += "\n";
        }
    }
    return text.empty() ? "" : text + legend(used);
}

std::string details(const Verdict& verdict, const Ledger& ledger) {
    std::string text = signatures(verdict) + reasons(verdict);
    if (ledger.gpus() > 1) text += heading("Pairs") + matrix(ledger);
    text += told(ledger, "Failing core checks", [](const Ledger::Entry& entry) {
        return entry.planned->family == Family::core && entry.was_refuted();
    });
    text += told(ledger, "Core checks of which nothing is known", [](const Ledger::Entry& entry) {
        return entry.planned->family == Family::core && !entry.is_known();
    });
    text += told(ledger, "Not started", [](const Ledger::Entry& entry) {
        return entry.planned->family != Family::core && entry.is(Outcome::not_started);
    });
    text += reached(ledger);
    text += controls(ledger);
    text += told(ledger, "Controls that did not hold", [](const Ledger::Entry& entry) {
        const bool control =
            entry.planned->family == Family::control || entry.planned->family == Family::closing;
        return control && !entry.holds() && !entry.is(Outcome::not_started);
    });
    text += measurements(ledger);
    text += collective(ledger);
    text += findings(verdict, false);
    text += told(ledger, "Evidence that did not deliver", [](const Ledger::Entry& entry) {
        return entry.planned->family == Family::evidence && !entry.holds() && !entry.is(Outcome::not_started);
    });
    text += told(ledger, "Ways that did not deliver", [](const Ledger::Entry& entry) {
        return entry.planned->family == Family::way && !entry.is(Outcome::delivered) &&
               !entry.is(Outcome::not_started) && !entry.does_not_apply();
    });
    return text + findings(verdict, true) + hints(ledger) + time_went(ledger) +
           bench(verdict, ledger.session());
}

}  // namespace peerproof
