#include "reports/judging/verdict.hpp"

#include <array>
#include <utility>

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::array<std::pair<VerdictWord, std::string_view>, 7> verdict_words{{
    {VerdictWord::open, "open"},
    {VerdictWord::locked, "locked"},
    {VerdictWord::partial, "partial"},
    {VerdictWord::silent, "silent"},
    {VerdictWord::hung, "hung"},
    {VerdictWord::suspect, "suspect"},
    {VerdictWord::no_verdict, "no_verdict"},
}};

}  // namespace

std::string_view to_string(VerdictWord word) {
    for (const auto& [value, name] : verdict_words) {
        if (value == word) return name;
    }
    return "?";
}

std::optional<VerdictWord> parse_verdict(std::string_view text) {
    for (const auto& [value, name] : verdict_words) {
        if (name == text) return value;
    }
    return std::nullopt;
}

std::string Signature::text() const {
    std::string text = format("pairs={} checks={} failures={}", pairs, checks, failures);
    if (not_known > 0) text += format(" not_known={}", not_known);
    if (records != checks) text += format(" (records of {} checks only)", records);
    return text;
}

std::string Verdict::banner() const {
    std::string text;
    if (simulated) {
        text = format("SIMULATED BENCH {}: says nothing about real hardware", one_line(*simulated, 80));
    }
    if (self_check) {
        text += text.empty() ? "" : "\n";
        text +=
            "SELF-CHECK of the suite: peer access was deliberately not enabled, so any bench must look "
            "locked";
    }
    return text;
}

}  // namespace peerproof
