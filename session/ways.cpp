#include "session/ways.hpp"

#include <algorithm>

namespace peerproof {

bool is_way(std::string_view name) {
    return std::any_of(all_ways.begin(), all_ways.end(),
                       [&](const WayName& way) { return way.name == name; });
}

std::vector<std::string> names_of_ways() {
    std::vector<std::string> names;
    for (const WayName& way : all_ways) names.emplace_back(way.name);
    return names;
}

std::optional<std::vector<std::string>> ways_in(std::string_view list) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string name(list.substr(begin, end - begin));
        if (!is_way(name) || std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
        names.push_back(name);
        begin = end + 1;
    }
    return names;
}

}  // namespace peerproof
