#include "reports/reading/plain_text.hpp"

#include <algorithm>

#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

// U+0080..U+009F: a terminal takes them for escape sequences.
bool is_c1(std::string_view character) {
    return character.size() == 2 && character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
}

// Line separators and the marks that turn the direction of text: U+2028..202E, U+2066..2069, U+200E, U+200F.
bool turns_text(std::string_view character) {
    if (character.size() != 3 || character[0] != '\xe2') return false;
    const auto second = static_cast<unsigned char>(character[1]);
    const auto third = static_cast<unsigned char>(character[2]);
    return (second == 0x80 && ((third >= 0xa8 && third <= 0xae) || third == 0x8e || third == 0x8f)) ||
           (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

// U+FFFE and U+FFFF.
bool is_no_character(std::string_view character) {
    return character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
}

bool is_control(std::string_view character) {
    return character.size() == 1 && (static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7f);
}

std::size_t length_at(std::string_view utf8, std::size_t at) {
    const auto lead = static_cast<unsigned char>(utf8[at]);
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

// Room for the entity that the writer makes of it, in an attribute as in text.
std::size_t escaped_size(std::string_view character) {
    switch (character[0]) {
        case '&':
        case '\n':
            return 5;
        case '<':
        case '>':
        case '\t':
            return 4;
        case '"':
            return 6;
        default:
            return character.size();
    }
}

}  // namespace

std::string one_line(std::string_view bytes, std::size_t limit) {
    // What is replaced becomes one byte out of three at most, so this always fills the limit.
    const std::size_t enough = 3 * limit + 8;
    const std::string clean = printable(bytes.substr(0, enough), enough);
    std::string line;
    std::size_t cut = 0;  // where "..." still fits
    for (std::size_t at = 0; at < clean.size();) {
        const std::string_view character = std::string_view(clean).substr(at, length_at(clean, at));
        at += character.size();
        const bool blank = character == "\n" || character == "\r" || character == "\t";
        const bool bad = is_control(character) || is_c1(character) || turns_text(character);
        const std::string_view shown = blank ? " " : bad ? "?" : character;
        if (line.size() + shown.size() > limit) return line.substr(0, cut) + "...";
        line += shown;
        if (line.size() + 3 <= limit) cut = line.size();
    }
    return line;
}

std::string spaced(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string xml_text(std::string_view bytes, std::size_t limit) {
    const std::string clean = printable(bytes.substr(0, limit), limit);
    std::string text;
    std::size_t escaped = 0;
    for (std::size_t at = 0; at < clean.size();) {
        std::string_view character = std::string_view(clean).substr(at, length_at(clean, at));
        at += character.size();
        if (character == "\r") continue;
        const bool kept = character == "\n" || character == "\t";
        if ((is_control(character) && !kept) || is_c1(character) || is_no_character(character))
            character = "?";
        escaped += escaped_size(character);
        if (escaped > limit) break;
        text += character;
    }
    return text;
}

std::string wrapped(std::string_view text, std::string_view first, std::size_t width) {
    const std::string indent(first.size(), ' ');
    std::string lines, line{first};
    bool empty = true;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
        if (!empty && line.size() + 1 + word.size() > width) {
            lines += line + "\n";
            line = indent;
            empty = true;
        }
        if (!empty) line += ' ';
        line += word;
        empty = false;
    }
    return lines + line + "\n";
}

std::string some_of(const std::vector<std::string>& words, std::size_t limit) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string rest = format(" and {} more", words.size() - i);
        const bool last = i + 1 == words.size();
        if (i > 0 && text.size() + 2 + words[i].size() + (last ? 0 : rest.size()) > limit) return text + rest;
        text += (i == 0 ? "" : ", ") + words[i];
    }
    return text;
}

}  // namespace peerproof
