#include "reports/writing/text_report.hpp"

#include <algorithm>
#include <map>

#include "reports/judging/again.hpp"
#include "reports/judging/all_reduces.hpp"
#include "reports/judging/crowd.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/judging/soak.hpp"
#include "reports/judging/ways.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/check_rows.hpp"
#include "reports/writing/text_details.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

std::string signature_text(const Verdict& verdict) {
    return verdict.signature ? verdict.signature->text() : "unknown";
}

std::string banner_line(const Verdict& verdict) {
    return verdict.banner().empty() ? "" : verdict.banner() + "\n";
}

// "gpu0_to_gpu1 (read write)", in the order of the plan.
std::vector<std::string> failing_pairs(const Verdict& verdict, const Session& session) {
    std::vector<std::string> order;
    std::map<std::string, std::string> checks;
    if (!session.plan) return order;
    std::map<std::string_view, const Case*> cases;
    for (const Case& one : session.plan->cases) cases.emplace(one.id, &one);
    for (const std::string& id : verdict.failing) {
        const Case& one = *cases.at(id);
        std::string& of_pair = checks[place_name(one.gpus)];
        if (of_pair.empty()) order.push_back(place_name(one.gpus));
        of_pair += (of_pair.empty() ? "" : " ") + one.check;
    }
    for (std::string& pair : order) pair += " (" + one_line(checks[pair], 40) + ")";
    return order;
}

std::string rows_text(const std::vector<Row>& rows) {
    constexpr std::size_t least = 31, most = 50;
    std::size_t width = least;
    for (const Row& row : rows) width = std::max(width, one_line(row.title, most).size());
    std::string text = format("{:<{}} | {:>7} | {}\n", "Check", width, "Pairs", "Result");
    text += format("{:-<{}}-|-{:->7}-|-{:-<40}\n", "", width, "", "");
    for (const Row& row : rows) {
        std::string answers;
        std::size_t shown = 0;
        for (const auto& [answer, count] : row.answers) {
            if (shown++ == 6) {
                answers += format(", and {} other answers", row.answers.size() - 6);
                break;
            }
            answers += format("{}{}x {}", answers.empty() ? "" : ", ", count, answer);
        }
        const std::string start =
            format("{:<{}} | {:>7} | ", one_line(row.title, most), width, format("{}/{}", row.held, row.of));
        text += wrapped(answers, start);
    }
    return text;
}

}  // namespace

std::string verdict_block(const Verdict& verdict, const Session& session) {
    std::string text = banner_line(verdict);
    text += format("signature: {}\n", signature_text(verdict));
    text += format("verdict: {}\n", to_string(verdict.word));
    text += format("expected: {}\n", verdict.expected_text);
    if (!verdict.reasons.empty()) {
        const std::size_t more = verdict.reasons.size() - 1;
        const std::string rest = more == 0 ? "" : format(" (and {} more, below)", more);
        text += format("reason: {}{}\n", one_line(verdict.reasons.front().text, block_reason_limit), rest);
    }
    if (const auto pairs = failing_pairs(verdict, session); !pairs.empty())
        text += format("failing pairs: {} of {}: {}\n", pairs.size(), verdict.signature->pairs,
                       one_line(some_of(pairs, 200), 230));
    if (!verdict.common_factor.empty())
        text += format("in common: {}\n", one_line(verdict.common_factor, 200));
    if (const std::string line = collective_line(Ledger(session)); !line.empty())
        text += format("collective: {}\n", line);
    if (const std::string line = ways_line(Ledger(session)); !line.empty())
        text += format("ways: {}\n", line);
    if (const std::string line = crowd_line(Ledger(session)); !line.empty())
        text += format("crowd: {}\n", line);
    if (const std::string line = soak_line(Ledger(session)); !line.empty())
        text += format("soak: {}\n", line);
    if (const std::string line = again_line(Ledger(session)); !line.empty())
        text += format("again: {}\n", line);
    return text;
}

std::string closing_lines(const Verdict& verdict, const std::string& reports) {
    std::string text = banner_line(verdict);
    text += format("signature: {}\nverdict: {}\n", signature_text(verdict), to_string(verdict.word));
    if (verdict.expected == Expectation::baseline) {
        const char* outcome = verdict.as_expected                       ? ": so it is"
                              : verdict.word == VerdictWord::no_verdict ? ""
                                                                        : ": it is not so";
        text += format("expected: {}{}\n", verdict.expected_text, outcome);
    }
    if (!verdict.as_expected && !verdict.reasons.empty())
        text += format("reason: {}\n", one_line(verdict.reasons.front().text, 400));
    return text + format("reports: {}\n", reports);
}

std::string text_report(const Verdict& verdict, const Session& session) {
    const Ledger ledger(session);
    std::string text = banner_line(verdict);
    if (!text.empty()) text += "\n";
    return text + rows_text(rows_of(ledger)) + "\n" + verdict_block(verdict, session) +
           details(verdict, ledger);
}

std::string printed_report(const Verdict& verdict, const Session& session) {
    const Ledger ledger(session);
    return verdict_block(verdict, session) + "\n" + rows_text(rows_of(ledger)) + "\n" +
           details(verdict, ledger);
}

}  // namespace peerproof
