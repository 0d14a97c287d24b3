#include "session/words.hpp"

#include <array>
#include <utility>

#include "session/format.hpp"

namespace peerproof {
namespace {

template <class Word, std::size_t N>
using Table = std::array<std::pair<Word, std::string_view>, N>;

constexpr Table<Outcome, outcome_count> outcomes{{
    {Outcome::delivered, "delivered"},
    {Outcome::illegal_address, "illegal_address"},
    {Outcome::refused, "refused"},
    {Outcome::missing, "missing"},
    {Outcome::wrong, "wrong"},
    {Outcome::hung, "hung"},
    {Outcome::crashed, "crashed"},
    {Outcome::unkillable, "unkillable"},
    {Outcome::inconclusive, "inconclusive"},
    {Outcome::other_path, "other_path"},
    {Outcome::not_started, "not_started"},
    {Outcome::not_applicable, "not_applicable"},
}};
constexpr Table<Expectation, 3> expectations{
    {{Expectation::open, "open"}, {Expectation::locked, "locked"}, {Expectation::baseline, "baseline"}}};
constexpr Table<Family, 10> families{{{Family::control, "control"},
                                      {Family::core, "core"},
                                      {Family::evidence, "evidence"},
                                      {Family::way, "way"},
                                      {Family::measurement, "measurement"},
                                      {Family::collective, "collective"},
                                      {Family::crowd, "crowd"},
                                      {Family::soak, "soak"},
                                      {Family::again, "again"},
                                      {Family::closing, "closing"}}};
constexpr Table<Measurements, 3> amounts{
    {{Measurements::full, "full"}, {Measurements::brief, "brief"}, {Measurements::off, "off"}}};

template <class Word, std::size_t N>
std::string_view name_of(const Table<Word, N>& table, Word word) {
    for (const auto& [value, name] : table) {
        if (value == word) return name;
    }
    return "?";
}

template <class Word, std::size_t N>
std::optional<Word> word_of(const Table<Word, N>& table, std::string_view text) {
    for (const auto& [value, name] : table) {
        if (name == text) return value;
    }
    return std::nullopt;
}

}  // namespace

bool is_beside_the_core(Family family) {
    return family == Family::evidence || family == Family::way || family == Family::measurement ||
           family == Family::collective || family == Family::crowd || family == Family::soak ||
           family == Family::again;
}

std::string_view to_string(Outcome word) { return name_of(outcomes, word); }
std::string_view to_string(Expectation word) { return name_of(expectations, word); }
std::string_view to_string(Family word) { return name_of(families, word); }
std::string_view to_string(Measurements word) { return name_of(amounts, word); }
std::string words_of(const std::vector<Outcome>& outcomes) {
    std::vector<std::string_view> words;
    for (const Outcome outcome : outcomes) words.push_back(to_string(outcome));
    return words.empty() ? "nothing" : join(words, " or ");
}

std::optional<Outcome> parse_outcome(std::string_view text) { return word_of(outcomes, text); }
std::optional<Expectation> parse_expectation(std::string_view text) { return word_of(expectations, text); }
std::optional<Family> parse_family(std::string_view text) { return word_of(families, text); }
std::optional<Measurements> parse_measurements(std::string_view text) { return word_of(amounts, text); }

}  // namespace peerproof
