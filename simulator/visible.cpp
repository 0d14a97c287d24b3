#include "simulator/visible.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace peerproof::simulated {
namespace {

std::string uuid_text(const Card& card) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", card.uuid[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits;
    }
    return text;
}

int card_named(const Bench& bench, const std::vector<int>& cards, const std::string& entry) {
    if (entry.starts_with("GPU-")) {
        int found = -1;
        for (const int card : cards) {
            if (!uuid_text(bench.cards[card]).starts_with(entry)) continue;
            if (found != -1) return -1;
            found = card;
        }
        return found;
    }
    char* end = nullptr;
    const long index = std::strtol(entry.c_str(), &end, 10);
    if (end == entry.c_str() || *end != 0 || index < 0 || index >= static_cast<long>(cards.size())) return -1;
    return cards[static_cast<std::size_t>(index)];
}

}  // namespace

std::vector<int> visible_cards(const Bench& bench, const std::vector<int>& cards, const char* list) {
    if (list == nullptr) return cards;
    std::vector<int> visible;
    std::string rest = list;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const int card = card_named(bench, cards, rest.substr(0, comma));
        if (card == -1) break;
        if (std::find(visible.begin(), visible.end(), card) != visible.end()) return {};
        visible.push_back(card);
        rest.erase(0, comma + 1);
    }
    return visible;
}

}  // namespace peerproof::simulated
