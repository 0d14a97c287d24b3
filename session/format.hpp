// Text with values in it, by fmt's rules, checked when it is compiled; the work is done in one file.
//
//   format("{} of {} words", seen, words)      join({"read", "write"}, " or ")      print(stderr, "{}\n", why)
//
// Debian has no static libfmt, and our programs must not need a shared one. Its header-only form compiles all of
// fmt in every file that formats a text, so only format.cpp uses that form.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <string>

namespace peerproof {

std::string vformat(fmt::string_view text, fmt::format_args values);
void put(std::FILE* file, const std::string& text);

template <class... Values>
std::string format(fmt::format_string<Values...> text, Values&&... values) {
    return peerproof::vformat(text, fmt::make_format_args(values...));
}

template <class... Values>
void print(std::FILE* file, fmt::format_string<Values...> text, Values&&... values) {
    put(file, peerproof::vformat(text, fmt::make_format_args(values...)));
}

template <class Texts>
std::string join(const Texts& texts, const std::string& between) {
    std::string all;
    bool first = true;
    for (const auto& text : texts) {
        if (!first) all += between;
        all += text;
        first = false;
    }
    return all;
}

}  // namespace peerproof
