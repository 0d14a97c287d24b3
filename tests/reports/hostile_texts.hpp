// Texts that break naive writers: what a driver, a GPU or a log might contain.
#pragma once

#include <string>
#include <vector>

#include "session/record.hpp"

namespace peerproof {

inline std::vector<std::string> hostile_texts() {
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
    return {"",
            every_byte,
            "]]>",
            "<!--</failure></testcase><testcase name='x'/>",
            "&amp;&#0;&bad;\"'",
            "\nverdict: open\nsignature: pairs=6 checks=18 failures=0\n",
            "\x1b[2J\x1b]0;title\x07",
            "\xff\xfe\xc0\x80\xed\xa0\x80\xef\xbf\xbf",
            "\xe2\x80\xae"
            "nepo :tcidrev",
            std::string(1 << 20, 'x'),
            std::string(100'000, '&'),
            std::string(100'000, '\0'),
            std::string(50'000, '\n')};
}

// A step that quotes one of them wherever a step has a text.
inline Step hostile_step(const std::string& text) {
    return {.name = text,
            .outcome = Outcome::wrong,
            .call = text,
            .error = text,
            .diagnosis = text,
            .detail = text,
            .mismatched_words = 1,
            .expected_hex = text,
            .found_hex = text};
}

}  // namespace peerproof
