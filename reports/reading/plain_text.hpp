// Text of unknown origin (GPU names, driver texts, logs) made fit for a report: valid UTF-8, and nothing in
// it that could forge a line, steer a terminal or break an XML file.
//
// It does not escape: the writers of HTML, XML and JSON do that themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace peerproof {

// One line of at most `limit` bytes. Controls and marks that turn the direction of text become '?', line
// breaks and tabs a space; "..." ends what was cut.
std::string one_line(std::string_view bytes, std::size_t limit);

// "staged_copy" is for programs, "staged copy" for people.
std::string spaced(std::string_view name);

// Text in which only characters of XML 1.0 are left and that takes at most `limit` bytes when escaped.
std::string xml_text(std::string_view bytes, std::size_t limit);

// Breaks at spaces into lines of at most `width` where that is possible; the first line begins with `first`,
// the others with as many spaces. Every line ends in a line break.
std::string wrapped(std::string_view text, std::string_view first, std::size_t width = 96);

// What a line of a report keeps of a list of places, and of a text that it quotes: bytes.
inline constexpr std::size_t list_limit = 400, text_limit = 300;

// "a, b, c and 12 more": as many as fit into `limit` bytes, at least one.
std::string some_of(const std::vector<std::string>& words, std::size_t limit);

}  // namespace peerproof
