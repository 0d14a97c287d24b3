#include "reports/commands/failures.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "reports/judging/verdict.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t most_named = 2;

const std::regex case_name{R"(([a-z]+)\.([a-z0-9_]+)\.(gpu[0-9]+(?:_(?:to_)?gpu[0-9]+)?))"};
const std::regex said_by_supervise{R"(([a-z_]+) \(expected [^)]*\) in [0-9.]+ s(?:: (.*))?)"};
// What differs between cases of one kind. Numbers of errors do not: each has its name behind it.
const std::regex places_and_numbers{R"((code |signal )[0-9]+|gpu[0-9]+|0x[0-9a-f]+|[0-9]+(\.[0-9]+)?)"};

std::string without_places(const std::string& reason) {
    std::string text, rest = reason;
    for (std::smatch found; std::regex_search(rest, found, places_and_numbers); rest = found.suffix()) {
        text += found.prefix().str() + (found[1].matched ? found.str() : "#");
    }
    return text + rest;
}

}  // namespace

void Failures::add(const EndedTest& test) {
    // The closing lines say the verdict.
    if (test.name == "verdict" && parse_verdict(test.reason)) return;
    Kind kind{.word = test.result, .check = test.name, .reason = test.reason, .first = test.name};
    for (char& c : kind.word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::smatch name, said;
    std::string place;
    if (std::regex_match(test.name, name, case_name)) {
        const bool measures = name[1] == "measurement" || name[1] == "evidence";
        kind.check = spaced((measures ? "" : name[1].str() + " ") + name[2].str());
        place = name[3];
    }
    if (std::regex_match(test.reason, said, said_by_supervise)) {
        kind.outcome = spaced(said[1].str());
        kind.reason = said[2];
    }
    kind.alike = without_places(kind.reason);
    auto same = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& one) {
        return !place.empty() && one.word == kind.word && one.check == kind.check &&
               one.outcome == kind.outcome && one.alike == kind.alike;
    });
    if (same == kinds_.end()) same = kinds_.insert(same, kind);
    same->varies = same->varies || same->reason != kind.reason;
    same->places.push_back(place);
}

std::string Failures::line(const Kind& kind, std::size_t width, const Paint& paint) {
    std::string text = kind.places.size() == 1 ? " " + kind.first : " " + kind.check;
    if (!kind.outcome.empty()) text += ": " + kind.outcome;
    if (kind.places.size() > 1) {
        const char* of = kind.places.front().find('_') == std::string::npos ? "GPUs" : "pairs";
        text += format("{} {} {}", kind.outcome.empty() ? ":" : ",", kind.places.size(), of);
        if (kind.places.size() <= most_named) text += format(" ({})", join(kind.places, ", "));
    }
    // Of an illegal address the outcome says it all.
    const bool says_more = kind.reason.find("700 cudaErrorIllegalAddress") == std::string::npos;
    if (!kind.reason.empty() && (says_more || kind.places.size() == 1))
        text += (kind.varies ? ", one of them: " : ": ") + kind.reason;
    const std::string word = one_line(kind.word, 40);
    return paint(Colour::red, word) + one_line(text, width > word.size() + 20 ? width - word.size() : 20);
}

std::vector<std::string> Failures::lines(std::size_t width, const Paint& paint) const {
    std::vector<std::string> all;
    for (const Kind& kind : kinds_) all.push_back(line(kind, width, paint));
    return all;
}

std::vector<std::string> Failures::news(std::size_t width, const Paint& paint) {
    std::vector<std::string> all;
    for (Kind& kind : kinds_) {
        if (kind.told == kind.places.size()) continue;
        kind.told = kind.places.size();
        all.push_back(line(kind, width, paint));
    }
    return all;
}

}  // namespace peerproof
