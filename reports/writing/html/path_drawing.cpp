// Roads as pictures: boxes for stops, lines for stretches, the narrowest drawn thick and named. Pairs whose
// roads look alike share one picture, so that the page of 16 cards stays readable.
#include <fmt/format.h>

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/sections.hpp"

namespace peerproof::html {
namespace {

constexpr int box = 104, gap = 92, height = 66, middle = 44;

Markup rate(const Stretch& stretch) {
    if (stretch.ceiling) return compose("{:.2f} GB/s", *stretch.ceiling);
    return text(stretch.limits ? "unknown" : "");
}

// A picture of many pairs has "source" and "destination" for the cards.
Markup stop(const Road& road, std::size_t i, bool many) {
    if (many && i == 0) return text("source");
    if (many && i + 1 == road.stops.size()) return text("destination");
    return text(road.stops[i], 24);
}

Markup svg(const Road& road, bool many) {
    const int width =
        static_cast<int>(road.stops.size()) * box + static_cast<int>(road.stretches.size()) * gap + 2;
    Markup shapes;
    const auto narrowest = road.narrowest();
    for (std::size_t i = 0; i < road.stretches.size(); ++i) {
        const int x = static_cast<int>(i + 1) * box + static_cast<int>(i) * gap + 1, centre = x + gap / 2;
        const bool narrow = narrowest && (i == *narrowest || road.stretches[i].ceiling == road.ceiling());
        shapes += compose("<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"{}/>", x, x + gap, middle, middle,
                          narrow ? compose(" class=\"narrow\"") : Markup());
        shapes += compose("<text x=\"{}\" y=\"14\">{}</text>", centre, text(road.stretches[i].name, 16));
        shapes += compose("<text x=\"{}\" y=\"30\" class=\"{}\">{}</text>", centre,
                          text(narrow ? "narrow-rate" : "rate"), rate(road.stretches[i]));
        if (narrow)
            shapes += compose("<text x=\"{}\" y=\"62\" class=\"narrow-rate\">narrowest</text>", centre);
    }
    for (std::size_t i = 0; i < road.stops.size(); ++i) {
        const int x = static_cast<int>(i) * (box + gap) + 1;
        shapes += compose(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"26\" rx=\"3\"/><text x=\"{}\" y=\"{}\">{}</text>",
            x, middle - 13, box, x + box / 2, middle + 4, stop(road, i, many));
    }
    return compose("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" aria-hidden=\"true\">{2}</svg>",
                   width, height, shapes);
}

Markup one(const char* name, const Road& road, bool many) {
    if (road.stops.empty())
        return compose("<figcaption><b>{}</b>: unknown, {}</figcaption>\n", text(name),
                       text(road.unknown, 300));
    Markup ceiling = text("ceiling unknown: " + road.unknown, 320);
    if (const auto narrowest = road.narrowest())
        ceiling = compose("at most {:.2f} GB/s one way, by {} between {} and {}", *road.ceiling(),
                          text(road.stretches[*narrowest].name, 40), stop(road, *narrowest, many),
                          stop(road, *narrowest + 1, many));
    return compose("<figcaption><b>{}</b>: {}</figcaption>\n<div class=\"wide\">{}</div>\n", text(name),
                   ceiling, svg(road, many));
}

std::string names(const RoadGroup& group) {
    std::vector<std::string> pairs;
    for (const auto& [a, b] : group.pairs) pairs.push_back(fmt::format("gpu{} to gpu{}", a, b));
    return some_of(pairs, 400);
}

Markup note(const Roads& roads) {
    const auto ratio = roads.ratio();
    if (!ratio) return {};
    return compose("<p>Staged over direct, as predicted: {:.2f}. {}</p>\n", *ratio,
                   !tells_apart(*ratio)
                       ? compose("<b>Bandwidth cannot tell the roads apart here.</b>")
                       : text("The speed of a copy hints at its road, and decides nothing."));
}

}  // namespace

Markup roads_section(const View& view) {
    Markup body;
    for (std::size_t i = 0; i < view.roads.size(); ++i) {
        const RoadGroup& group = view.roads[i];
        const bool many = group.pairs.size() > 1;
        body += compose("<h3>{}</h3>\n<figure class=\"road\" id=\"road-{}\">{}{}{}</figure>\n",
                        text(names(group), 440), i, one("Direct", group.roads.direct, many),
                        one("Staged", group.roads.staged, many), note(group.roads));
    }
    if (body.empty())
        body = compose(
            "<p>The links of the cards were not read: no road can be drawn and no ceiling is known.</p>\n");
    return section("roads", "Roads and their ceilings", body);
}

}  // namespace peerproof::html
