// The record comes as it grows, a line of JSON each time: the last whole line counts.
#pragma once

#include <string_view>

namespace peerproof::supervise {

// Where the last line that has its line break begins; 0 where there is none.
inline std::size_t last_whole_line_begins(std::string_view text) {
    const auto end = text.rfind('\n');
    if (end == std::string_view::npos || end == 0) return 0;
    const auto before = text.rfind('\n', end - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

// That line, or the whole text where not one line was finished.
inline std::string_view last_whole_line(std::string_view text) {
    const auto begin = last_whole_line_begins(text);
    const auto end = text.rfind('\n');
    return end == std::string_view::npos ? text : text.substr(begin, end - begin);
}

}  // namespace peerproof::supervise
