#include "session/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace peerproof {
namespace {

// How many bytes must be inserted, taken out or replaced to make the one of the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = std::min(corner + (a[i] != b[j] ? 1 : 0), 1 + std::min(above, row[j]));
            corner = above;
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> nearest(std::string_view wanted, std::vector<std::string> names) {
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        return distance(wanted, a) < distance(wanted, b);
    });
    if (names.size() > 3) names.resize(3);
    return names;
}

}  // namespace peerproof
