#include "reports/writing/html/page.hpp"

#include <fmt/format.h>

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

unsigned nibble(char hex) { return static_cast<unsigned>(hex <= '9' ? hex - '0' : hex - 'a' + 10); }

// A policy names a hash in base64; CMake can only give hex.
std::string base64_of_hex(std::string_view hex) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < hex.size(); at += 6) {
        unsigned bits = 0, bytes = 0;
        for (std::size_t i = 0; i < 6; i += 2) {
            const bool there = at + i < hex.size();
            bits = bits << 8 | (there ? nibble(hex[at + i]) << 4 | nibble(hex[at + i + 1]) : 0);
            bytes += there ? 1 : 0;
        }
        for (unsigned i = 0; i < 4; ++i) text += i <= bytes ? digits[bits >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

std::string sources(const std::vector<Asset>& assets) {
    std::string text;
    for (const Asset& asset : assets) text += fmt::format(" 'sha256-{}'", base64_of_hex(asset.sha256));
    return text.empty() ? " 'none'" : text;
}

std::string band(const std::string& banner) {
    std::string band;
    for (std::string_view rest = banner; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        band += fmt::format("<p>{}</p>", text(rest.substr(0, end)));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return band.empty() ? "" : fmt::format("<div class=\"band\" role=\"note\">{}</div>\n", band);
}

}  // namespace

std::string text(std::string_view bytes, std::size_t limit) { return escaped(one_line(bytes, limit)); }

std::string lines(std::string_view bytes, std::size_t limit) { return escaped(xml_text(bytes, limit)); }

std::string data(const nlohmann::ordered_json& value) {
    std::string json = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    std::string safe;
    safe.reserve(json.size() + 64);
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return safe;
}

std::string page(const Frame& frame) {
    std::string head = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" class=\"{}{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src{}; script-src{}; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}{}{}</title>\n",
        frame.simulated ? "simulated " : "", frame.self_check ? "self-check" : "", sources(frame.styles),
        sources(frame.scripts), frame.simulated ? "SIMULATED " : "", frame.self_check ? "SELF-CHECK " : "",
        text(frame.title));
    for (const Asset& style : frame.styles) head += fmt::format("<style>{}</style>\n", style.text);
    std::string tail;
    if (!frame.data.empty())
        tail += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n", frame.data);
    for (const Asset& script : frame.scripts) tail += fmt::format("<script>{}</script>\n", script.text);
    return head + "</head>\n<body>\n" + band(frame.banner) + frame.body + tail + "</body>\n</html>\n";
}

}  // namespace peerproof::html
