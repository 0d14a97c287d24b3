#include "reports/writing/terminal/summary.hpp"

#include <algorithm>
#include <sstream>

#include "reports/judging/again.hpp"
#include "reports/judging/all_reduces.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/findings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/soak.hpp"
#include "reports/judging/ways.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/measurement_table.hpp"
#include "reports/writing/terminal/follows.hpp"
#include "reports/writing/text_details.hpp"
#include "reports/writing/text_report.hpp"
#include "reports/writing/verdict_meaning.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t most_findings = 8, most_reasons = 8, finding_limit = 300, reason_limit = 250;
constexpr std::size_t most_measurement_lines = 24;

// Marks of what delivered are green, all others red. Rows begin with the GPU, nine characters wide.
std::string painted_matrix(const std::string& matrix, const Paint& paint) {
    std::istringstream lines(matrix);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("gpu") || line.size() < 10) {
            text += line + "\n";
            continue;
        }
        text += line.substr(0, 9);
        for (const char mark : line.substr(9)) {
            const bool through = mark == 'c' || mark == 'r' || mark == 'w';
            text += mark == ' ' || mark == '.'
                        ? std::string(1, mark)
                        : paint(through ? Colour::green : Colour::red, std::string(1, mark));
        }
        text += "\n";
    }
    return text;
}

// Copies may be staged: where no kernel reached a peer's memory, their speeds can wait for report.txt.
bool by_kernels(const PairMeasurements& pair) {
    return pair.read || pair.write || pair.latency || pair.ping_pong || pair.bidirectional_read ||
           pair.bidirectional_write;
}

std::string measurements(const Ledger& ledger) {
    std::string text;
    const auto pairs = measurements_of(ledger);
    if (!pairs.empty() && std::none_of(pairs.begin(), pairs.end(), by_kernels)) return "";
    const auto table = measurement_table(ledger);
    for (std::size_t i = 0; i < table.size() && i < most_measurement_lines; ++i) text += table[i] + "\n";
    if (table.size() > most_measurement_lines)
        text += format("and {} lines more, in report.txt\n", table.size() - most_measurement_lines);
    return text;
}

std::string findings(const Verdict& verdict, const Ledger& ledger) {
    std::string text;
    std::size_t told = 0, more = 0, not_run_count = 0, following = 0;
    for (const Finding& finding : verdict.findings) {
        if (finding.word == not_run) {
            ++not_run_count;
        } else if (follows_from_core(ledger, finding)) {
            following += finding.cases.size();
        } else if (told == most_findings) {
            ++more;
        } else {
            ++told;
            text += wrapped(
                format("{}: {}", one_line(finding.word, 80), one_line(finding.text, finding_limit)), "- ");
        }
    }
    if (following > 0)
        text += format("- as the core checks of the same pairs: {} cases, in report.txt\n", following);
    if (more > 0) text += format("- and {} more, in report.txt\n", more);
    if (not_run_count > 0) text += format("- not run: {}, see report.txt\n", not_run_count);
    return text;
}

}  // namespace

std::string terminal_summary(const Verdict& verdict, const Session& session, const Paint& paint) {
    const Ledger ledger(session);
    std::string text;
    const auto part = [&](const char* title, const std::string& body) {
        if (!body.empty()) text += paint(Colour::bold, title) + "\n" + body + "\n";
    };
    part("measurements", measurements(ledger));
    part("findings", findings(verdict, ledger));
    if (ledger.gpus() > 1) part("pairs", painted_matrix(matrix(ledger), paint));
    if (verdict.reasons.size() > 1) {
        std::string reasons;
        for (std::size_t i = 0; i < verdict.reasons.size() && i < most_reasons; ++i)
            reasons += wrapped(one_line(verdict.reasons[i].text, reason_limit), "- ");
        if (verdict.reasons.size() > most_reasons)
            reasons += format("- and {} more, in report.txt\n", verdict.reasons.size() - most_reasons);
        part("reasons", reasons);
    }
    if (!verdict.common_factor.empty())
        text += format("in common: {}\n", one_line(verdict.common_factor, 200));
    if (const std::string line = collective_line(ledger); !line.empty())
        text += format("collective: {}\n", line);
    if (const std::string line = ways_line(ledger); !line.empty()) text += format("ways: {}\n", line);
    if (const std::string line = crowd_line(ledger); !line.empty()) text += format("crowd: {}\n", line);
    if (const std::string line = soak_line(ledger); !line.empty()) text += format("soak: {}\n", line);
    if (const std::string line = again_line(ledger); !line.empty()) text += format("again: {}\n", line);
    text += wrapped(meaning_of(verdict.word), "means: ") + wrapped(next_step_for(verdict.word), "next: ");
    return text + "\n";
}

std::string painted_closing(const std::string& lines, const Verdict& verdict, const Paint& paint) {
    const std::string line = format("verdict: {}\n", to_string(verdict.word));
    const auto at = lines.find(line);
    if (at == std::string::npos) return lines;
    const Colour colour = verdict.as_expected ? Colour::green : Colour::red;
    return lines.substr(0, at) + format("verdict: {}\n", paint(colour, to_string(verdict.word))) +
           lines.substr(at + line.size());
}

}  // namespace peerproof
