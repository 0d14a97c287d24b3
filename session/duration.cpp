#include "session/duration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "session/format.hpp"

namespace peerproof {

std::optional<int> parse_duration(std::string_view text) {
    constexpr std::pair<char, int> units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 24 * 3600}};
    if (text.empty()) return std::nullopt;
    const auto unit = std::find_if(std::begin(units), std::end(units),
                                   [&](const auto& one) { return one.first == text.back(); });
    if (unit == std::end(units)) return std::nullopt;
    int value = 0;
    const char* end_of_number = text.data() + text.size() - 1;
    const auto [end, error] = std::from_chars(text.data(), end_of_number, value);
    if (error != std::errc() || end != end_of_number || value < 1 || value > most_soak_s / unit->second)
        return std::nullopt;
    return value * unit->second;
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, 1e9)));
    if (whole < 60) return format("{} s", whole);
    if (whole < 3600) return format("{} min {:02} s", whole / 60, whole % 60);
    return format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace peerproof
