#include "reports/writing/html/page.hpp"

#include "session/format.hpp"

namespace peerproof::html {
namespace {

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
    for (const Asset& asset : assets) text += format(" 'sha256-{}'", base64_of_hex(asset.sha256));
    return text.empty() ? " 'none'" : text;
}

Markup band(std::string_view banner) {
    Markup band;
    for (std::string_view rest = banner; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        band += compose("<p>{}</p>", text(rest.substr(0, end)));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return band.empty() ? band : compose("<div class=\"band\" role=\"note\">{}</div>\n", band);
}

}  // namespace

std::string page(const Frame& frame) {
    std::string head = format(
        "<!DOCTYPE html>\n<html lang=\"en\" class=\"{}{}\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src{}; script-src{}; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}{}{}</title>\n",
        frame.simulated ? "simulated " : "", frame.self_check ? "self-check" : "", sources(frame.styles),
        sources(frame.scripts), frame.simulated ? "SIMULATED " : "", frame.self_check ? "SELF-CHECK " : "",
        text(frame.title).html());
    for (const Asset& style : frame.styles) head += format("<style>{}</style>\n", style.text);
    std::string tail;
    if (!frame.data.empty())
        tail += format("<script type=\"application/json\" id=\"data\">{}</script>\n", frame.data.html());
    for (const Asset& script : frame.scripts) tail += format("<script>{}</script>\n", script.text);
    return format("{}</head>\n<body>\n{}{}{}</body>\n</html>\n", head, band(frame.banner).html(),
                  frame.body.html(), tail);
}

}  // namespace peerproof::html
