// Paths as pictures: boxes for stops, lines for stretches, the narrowest drawn thick and named. Pairs whose
// paths look alike share one picture, so that the page of 16 GPUs stays readable.

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/sections.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

constexpr int box = 104, gap = 92, height = 66, middle = 44;

Markup rate(const Stretch& stretch) {
    if (stretch.ceiling) return compose("{:.2f} GB/s", *stretch.ceiling);
    return text(stretch.limits ? "unknown" : "");
}

// A picture of many pairs has "source" and "destination" for the GPUs.
Markup stop(const Path& path, std::size_t i, bool many) {
    if (many && i == 0) return text("source");
    if (many && i + 1 == path.stops.size()) return text("destination");
    return text(path.stops[i], 24);
}

Markup svg(const Path& path, bool many) {
    const int width =
        static_cast<int>(path.stops.size()) * box + static_cast<int>(path.stretches.size()) * gap + 2;
    Markup shapes;
    const auto narrowest = path.narrowest();
    for (std::size_t i = 0; i < path.stretches.size(); ++i) {
        const int x = static_cast<int>(i + 1) * box + static_cast<int>(i) * gap + 1, centre = x + gap / 2;
        const bool narrow = narrowest && (i == *narrowest || path.stretches[i].ceiling == path.ceiling());
        shapes += compose("<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"{}/>", x, x + gap, middle, middle,
                          narrow ? compose(" class=\"narrow\"") : Markup());
        shapes += compose("<text x=\"{}\" y=\"14\">{}</text>", centre, text(path.stretches[i].name, 16));
        shapes += compose("<text x=\"{}\" y=\"30\" class=\"{}\">{}</text>", centre,
                          text(narrow ? "narrow-rate" : "rate"), rate(path.stretches[i]));
        if (narrow)
            shapes += compose("<text x=\"{}\" y=\"62\" class=\"narrow-rate\">narrowest</text>", centre);
    }
    for (std::size_t i = 0; i < path.stops.size(); ++i) {
        const int x = static_cast<int>(i) * (box + gap) + 1;
        shapes += compose(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"26\" rx=\"3\"/><text x=\"{}\" y=\"{}\">{}</text>",
            x, middle - 13, box, x + box / 2, middle + 4, stop(path, i, many));
    }
    return compose("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" aria-hidden=\"true\">{2}</svg>",
                   width, height, shapes);
}

Markup one(const char* name, const Path& path, bool many) {
    if (path.stops.empty())
        return compose("<figcaption><b>{}</b>: unknown, {}</figcaption>\n", text(name),
                       text(path.unknown, 300));
    Markup ceiling = text("ceiling unknown: " + path.unknown, 320);
    if (const auto narrowest = path.narrowest())
        ceiling = compose("at most {:.2f} GB/s one way, by {} between {} and {}", *path.ceiling(),
                          text(path.stretches[*narrowest].name, 40), stop(path, *narrowest, many),
                          stop(path, *narrowest + 1, many));
    return compose("<figcaption><b>{}</b>: {}</figcaption>\n<div class=\"wide\">{}</div>\n", text(name),
                   ceiling, svg(path, many));
}

std::string names(const PathGroup& group) {
    std::vector<std::string> pairs;
    for (const auto& [a, b] : group.pairs) pairs.push_back(format("gpu{} to gpu{}", a, b));
    return some_of(pairs, 400);
}

Markup note(const Paths& paths) {
    const auto ratio = paths.ratio();
    if (!ratio) return {};
    return compose("<p>Staged over direct, as predicted: {:.2f}. {}</p>\n", *ratio,
                   !tells_apart(*ratio)
                       ? compose("<b>Bandwidth cannot tell the paths apart here.</b>")
                       : text("The speed of a copy hints at its path, and decides nothing."));
}

}  // namespace

Markup paths_section(const View& view) {
    Markup body;
    for (std::size_t i = 0; i < view.paths.size(); ++i) {
        const PathGroup& group = view.paths[i];
        const bool many = group.pairs.size() > 1;
        body += compose("<h3>{}</h3>\n<figure class=\"path\" id=\"path-{}\">{}{}{}</figure>\n",
                        text(names(group), 440), i, one("Direct", group.paths.direct, many),
                        one("Staged", group.paths.staged, many), note(group.paths));
    }
    if (body.empty())
        body = compose(
            "<p>The links of the GPUs were not read: no path can be drawn and no ceiling is known.</p>\n");
    return section("paths", "Paths and their ceilings", body);
}

}  // namespace peerproof::html
