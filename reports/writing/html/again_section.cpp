// The core checks that were asked again at the end: the line of the verdict. Those that answered otherwise are findings.

#include "reports/judging/again.hpp"
#include "reports/writing/html/sections.hpp"

namespace peerproof::html {

Markup again_section(const View& view) {
    const std::string line = again_line(view.ledger);
    if (line.empty()) return {};
    return section("again", "Asked again", compose("<p id=\"again-line\">{}</p>\n", text(line, 1000)));
}

}  // namespace peerproof::html
