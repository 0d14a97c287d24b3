#include "reports/writing/html/table.hpp"

namespace peerproof::html {

Markup head(std::initializer_list<const char*> names) {
    Markup cells;
    for (const char* name : names) cells += compose("<th scope=\"col\">{}</th>", text(name));
    return compose("<thead><tr>{}</tr></thead>\n", cells);
}

Markup row(std::initializer_list<Markup> cells) {
    Markup inside;
    for (const Markup& cell : cells)
        inside += &cell == cells.begin() ? compose("<th scope=\"row\">{}</th>", cell)
                                         : compose("<td>{}</td>", cell);
    return compose("<tr>{}</tr>\n", inside);
}

Markup table(const Table& parts) {
    const Markup style = parts.style.empty() ? Markup() : compose(" class=\"{}\"", text(parts.style));
    const Markup caption =
        parts.caption.empty() ? Markup() : compose("<figcaption>{}</figcaption>\n", parts.caption);
    return compose("<figure>{}<div class=\"wide\"><table{}>{}<tbody>\n{}</tbody></table></div></figure>\n",
                   caption, style, parts.head, parts.rows);
}

}  // namespace peerproof::html
