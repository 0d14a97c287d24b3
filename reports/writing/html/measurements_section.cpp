// What was measured, as bars against the ceiling of the path: the bar ends at the median, the whisker spans
// p5 to p95, the dashed line is the ceiling. With many pairs, those on the same kind of path share a row.

#include <algorithm>
#include <map>

#include "reports/judging/measurements.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

constexpr std::size_t rows_one_by_one = 160;
constexpr int bar_width = 260;

struct Bar {
    std::string where;
    std::size_t group = 0;  // of paths
    Measurement measurement;
    std::optional<double> ceiling, hard;
    bool has_ceiling = true;  // a latency has none, nor has a GPU's own memory
};

std::size_t group_of(const View& view, const std::vector<int>& gpus) {
    for (std::size_t i = 0; gpus.size() == 2 && i < view.paths.size(); ++i) {
        const auto& pairs = view.paths[i].pairs;
        if (std::find(pairs.begin(), pairs.end(), std::pair{gpus[0], gpus[1]}) != pairs.end()) return i;
    }
    return view.paths.size();
}

using Kind = std::pair<std::string, std::string>;  // name and unit

// What no owner of memory has confirmed: never a bar, and never among the others.
struct Claims {
    double least = 0, most = 0;
    std::vector<std::string> places;
};

struct Measurements {
    std::map<Kind, std::vector<Bar>> measured;           // in the order of the plan
    std::map<std::pair<Kind, Outcome>, Claims> claimed;  // by what came of their cases
};

void add_claim(const Measurement& measurement, const Ledger::Entry& entry, Measurements& all) {
    Claims& claims = all.claimed[{{measurement.name, measurement.unit}, entry.record->outcome}];
    claims.least = claims.places.empty() ? measurement.median : std::min(claims.least, measurement.median);
    claims.most = claims.places.empty() ? measurement.median : std::max(claims.most, measurement.median);
    claims.places.push_back(place_of(*entry.planned));
}

Measurements measurements_in(const View& view) {
    Measurements all;
    for (const Ledger::Entry& entry : view.ledger.entries()) {
        if (entry.record == nullptr || entry.planned->family == Family::crowd) continue;
        const std::size_t group = group_of(view, entry.planned->gpus);
        for (const Measurement& measurement : entry.record->measurements) {
            if (!entry.is_measured()) {
                add_claim(measurement, entry, all);
                continue;
            }
            Bar one{place_of(*entry.planned), group, measurement, {}};
            one.measurement.samples.clear();
            const auto ceiling = ceiling_of(view.ledger, view.pairs, *entry.planned, measurement);
            if (ceiling) one.ceiling = ceiling->gb_per_s, one.hard = ceiling->hard_gb_per_s;
            one.has_ceiling = ceiling.has_value();
            all.measured[{measurement.name, measurement.unit}].push_back(std::move(one));
        }
    }
    return all;
}

// One row for each kind of path: the middle of the medians, and the whole spread.
std::vector<Bar> merged(const std::vector<Bar>& all) {
    std::map<std::pair<std::size_t, double>, std::vector<const Bar*>> by_group;
    for (const Bar& one : all) by_group[{one.group, one.ceiling.value_or(0)}].push_back(&one);
    std::vector<Bar> rows;
    for (auto& [group, members] : by_group) {
        std::stable_sort(members.begin(), members.end(),
                         [](auto* a, auto* b) { return a->measurement.median < b->measurement.median; });
        Bar row = *members[members.size() / 2];
        for (const auto* member : members) {
            row.measurement.p5 = std::min(row.measurement.p5, member->measurement.p5);
            row.measurement.p95 = std::max(row.measurement.p95, member->measurement.p95);
        }
        row.where = format("{} places; least {} ({:.4g}), most {} ({:.4g})", members.size(),
                           members.front()->where, members.front()->measurement.median, members.back()->where,
                           members.back()->measurement.median);
        rows.push_back(std::move(row));
    }
    return rows;
}

Markup bar(const Bar& one, double scale) {
    const auto x = [&](double value) {
        return compose("{:.1f}", std::clamp(value / scale, 0.0, 1.0) * bar_width);
    };
    const bool over = one.hard && one.measurement.median > *one.hard * rounding;
    Markup shapes = compose("<rect class=\"rail\" y=\"13\" width=\"{}\" height=\"1\"/>", bar_width);
    shapes += compose("<rect class=\"{}\" y=\"4\" width=\"{}\" height=\"8\"/>",
                      text(over ? "over" : "median"), x(one.measurement.median));
    shapes += compose("<path class=\"spread\" d=\"M{0} 4v8M{0} 8H{1}M{1} 4v8\"/>", x(one.measurement.p5),
                      x(one.measurement.p95));
    if (one.ceiling) shapes += compose("<path class=\"ceiling\" d=\"M{} 0v16\"/>", x(*one.ceiling));
    return compose("<svg class=\"bar\" viewBox=\"0 0 {} 16\" aria-hidden=\"true\">{}</svg>", bar_width,
                   shapes);
}

Markup note(const View& view, const Bar& one) {
    if (one.hard && one.measurement.median > *one.hard * rounding)
        return compose("<b>{:.2f}x its ceiling: impossible on this path</b>",
                       one.measurement.median / *one.hard);
    if (!one.ceiling) return {};
    const double share = one.measurement.median / *one.ceiling;
    const Markup of_ceiling = compose("{:.0f} % of its ceiling", share * 100);
    if (one.group >= view.paths.size()) return of_ceiling;  // a GPU's own link has no second path
    const auto ratio = view.paths[one.group].paths.ratio();
    return ratio && !tells_apart(*ratio) ? of_ceiling + text("; cannot tell the paths apart") : of_ceiling;
}

Markup bars(const View& view, const Kind& kind, const std::vector<Bar>& all) {
    double scale = 1e-9;
    for (const Bar& one : all)
        scale = std::max({scale, one.measurement.p95, one.measurement.median, one.ceiling.value_or(0)});
    Markup rows;
    for (const Bar& one : all)
        rows += row({text(one.where, 200), bar(one, scale), compose("{:.4g}", one.measurement.median),
                     compose("{:.4g} .. {:.4g}", one.measurement.p5, one.measurement.p95),
                     one.ceiling       ? compose("{:.4g}", *one.ceiling)
                     : one.has_ceiling ? text("unknown")
                                       : text("none"),
                     note(view, one)});
    const auto& [name, unit] = kind;
    return compose("<h3>{}</h3>\n", text(spaced(name), 64)) +
           table({.caption = compose("Bars from 0 to {:.4g} {}", scale, text(unit, 16)),
                  .head = head({"where", "", "median", "p5 .. p95", "ceiling", ""}),
                  .rows = rows,
                  .style = "bars"});
}

// "3.31 GB/s claimed": in words only.
Markup claims_list(const Measurements& all) {
    Markup items;
    for (const auto& [key, claims] : all.claimed) {
        const auto& [kind, outcome] = key;
        const Markup value = claims.least == claims.most
                                 ? compose("{:.4g}", claims.most)
                                 : compose("{:.4g} to {:.4g}", claims.least, claims.most);
        items += compose("<li>{}: {} {} claimed, the bytes are <b>{}</b>: {}</li>\n",
                         text(spaced(kind.first), 64), value, text(kind.second, 16), text(words(outcome)),
                         text(some_of(claims.places, 400), 440));
    }
    if (items.empty()) return {};
    return compose("<h3>Claimed, and not measured</h3>\n<ul>{}</ul>\n", items);
}

}  // namespace

Markup measurements_section(const View& view) {
    const Measurements all = measurements_in(view);
    std::size_t count = 0;
    for (const auto& [kind, some] : all.measured) count += some.size();
    Markup body;
    for (const auto& [kind, some] : all.measured)
        body += bars(view, kind, count > rows_one_by_one ? merged(some) : some);
    const Markup claims = claims_list(all);
    if (body.empty() && claims.empty()) {
        if (!view.session().plan) return {};
        const auto& not_run = view.session().plan->not_run;
        const auto why = not_run.find("measurements");
        body = compose("<p>Not run{}.</p>\n", text(why == not_run.end() ? "" : ": " + why->second));
    } else if (!body.empty()) {
        body = compose(
                   "<p>Bar: median. Whisker: 5th to 95th percentile. Dashed line: the ceiling of the path, "
                   "one way. "
                   "A speed alone never makes a bench open.</p>\n") +
               body;
    }
    return section("measurements", "Measurements", body + claims);
}

}  // namespace peerproof::html
