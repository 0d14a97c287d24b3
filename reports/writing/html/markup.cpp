#include "reports/writing/html/markup.hpp"

#include <nlohmann/json.hpp>

#include "reports/reading/plain_text.hpp"

namespace peerproof::html {
namespace {

std::string escaped(std::string_view text) {
    std::string markup;
    markup.reserve(text.size() + 16);
    for (const char c : text) {
        switch (c) {
            case '&':
                markup += "&amp;";
                break;
            case '<':
                markup += "&lt;";
                break;
            case '>':
                markup += "&gt;";
                break;
            case '"':
                markup += "&quot;";
                break;
            case '\'':
                markup += "&#39;";
                break;
            default:
                markup += c;
        }
    }
    return markup;
}

}  // namespace

Markup text(std::string_view bytes, std::size_t limit) { return Markup(escaped(one_line(bytes, limit))); }

Markup data(const nlohmann::ordered_json& value) {
    std::string json = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    std::string safe;
    safe.reserve(json.size() + 64);
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return Markup(std::move(safe));
}

}  // namespace peerproof::html
