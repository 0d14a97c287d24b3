#include "reports/judging/about.hpp"

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {

Finding about(const std::string& word, const std::string& text, const Entries& entries, std::size_t planned) {
    const bool are_all = entries.size() == planned && planned > 1;
    return {
        word,
        format("{}: {}", text, are_all ? format("all {}", planned) : some_of(places_of(entries), list_limit)),
        ids_of(entries)};
}

}  // namespace peerproof
