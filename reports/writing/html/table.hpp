// A table in a box that scrolls where the page is narrower. Its caption stands above that box, so that no
// sentence is cut.
//
//   rows += row({text(gpu.name), compose("{} of {}", held, all)});     // the first cell heads its row
//   table({.caption = text("The GPUs"), .head = head({text("name"), text("pairs")}), .rows = rows});
#pragma once

#include <initializer_list>

#include "reports/writing/html/markup.hpp"

namespace peerproof::html {

Markup head(std::initializer_list<const char*> names);
Markup row(std::initializer_list<Markup> cells);

struct Table {
    Markup caption, head, rows;
    std::string_view style;  // its class; may be empty
};

Markup table(const Table& parts);

}  // namespace peerproof::html
