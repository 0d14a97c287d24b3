// All GPUs at once: the line of the verdict, and what each flow carried beside all others.

#include <algorithm>
#include <array>
#include <map>

#include "reports/judging/crowd.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "session/format.hpp"

namespace peerproof::html {

Markup crowd_section(const View& view) {
    const std::string line = crowd_line(view.ledger);
    if (line.empty()) return {};
    Markup body = compose("<p id=\"crowd-line\">{}</p>\n", text(line, 1000)), rows;
    std::map<std::string, std::array<std::string, 3>> of_pair;  // by load, store, copy
    std::vector<std::string> pairs;                             // in the order of the record
    for (const FlowRate& one : crowd_rates(view.ledger)) {
        const std::size_t space = one.name.find(' ');
        const std::string pair = one.name.substr(0, space),
                          act = one.name.substr(std::min(space, one.name.size()));
        const auto [at, is_new] = of_pair.try_emplace(pair);
        if (is_new) pairs.push_back(pair);
        at->second.at(act == " load" ? 0 : act == " store" ? 1 : 2) = format("{:.2f}", one.gb_per_s);
    }
    for (const std::string& pair : pairs) {
        const auto& [load, store, copy] = of_pair.at(pair);
        rows += row({text(pair, 60), text(load), text(store), text(copy)});
    }
    if (!rows.empty())
        body +=
            table({.caption = text("GB/s of each flow while all others went on beside it: its bytes over the "
                                   "seconds from when all could begin to its end."),
                   .head = head({"pair", "load", "store", "copy"}),
                   .rows = rows});
    return section("crowd", "All GPUs at once", body);
}

}  // namespace peerproof::html
