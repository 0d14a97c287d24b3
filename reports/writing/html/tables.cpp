// The sections that are tables and lists: findings, a row for each check, hints against the truth, controls,
// the collective, the bench itself.

#include <algorithm>
#include <map>
#include <set>

#include "reports/judging/findings.hpp"
#include "reports/judging/hints.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/check_rows.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/memory_reached.hpp"
#include "session/format.hpp"

namespace peerproof::html {
namespace {

Markup answers(const Row& row) {
    Markup list;
    for (std::size_t i = 0; i < row.answers.size() && i < 6; ++i)
        list += compose("{}{} x {}", text(i == 0 ? "" : ", "), row.answers[i].second,
                        text(row.answers[i].first, 120));
    return row.answers.size() > 6 ? list + text(", and others") : list;
}

// Windows of which the same was said, and through which the same got.
Markup windows(const View& view) {
    std::map<std::vector<std::string>, std::vector<std::string>> alike;
    for (const Window& window : windows_of(view.ledger)) {
        const bool contradicted = window.tried > 0 && (window.capability == "yes" || window.enabled()) !=
                                                          (window.loads && window.stores);
        alike[{window.capability.empty() ? "not asked" : window.capability,
               window.enabling.empty() ? "not tried" : window.enabling, window.loads ? "yes" : "no",
               window.stores ? "yes" : "no", contradicted ? "contradicts" : "agrees"}]
            .push_back(format("gpu{} into gpu{}", window.actor, window.owner));
    }
    Markup rows;
    for (const auto& [said, names] : alike)
        rows += row({text(format("{}: {}", names.size(), some_of(names, 200)), 240), text(said[0], 100),
                     text(said[1], 100), text(said[2]), text(said[3]),
                     said[4] == "agrees" ? text(said[4]) : compose("<b>{}</b>", text(said[4]))});
    if (rows.empty()) return {};
    return table(
        {.caption = text(
             "What the driver said of each window (one GPU's access to another's memory), beside what got "
             "through it"),
         .head = head({"windows", "capability bit", "enabling", "loads get through", "stores get through",
                       "hint and truth"}),
         .rows = rows});
}

std::string where(const Hint& hint) {
    if (hint.gpu == Hint::none) return "machine";
    return hint.peer == Hint::none ? format("gpu{}", hint.gpu)
                                   : format("gpu{} into gpu{}", hint.gpu, hint.peer);
}

// Hints of the plan: the same answer of many GPUs is one row.
Markup further_hints(const Plan& plan) {
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> alike;
    for (const Hint& hint : plan.hints) alike[{hint.name, hint.value, hint.source}].push_back(where(hint));
    Markup rows;
    for (const auto& [said, places] : alike) {
        const auto& [name, value, source] = said;
        rows += row({text(spaced(name), 80), text(value, 256), text(some_of(places, 160), 200),
                     compose("<span class=\"quiet\">{}</span>", text(source, 200))});
    }
    if (rows.empty()) return {};
    return table({.caption = text("What else was read; it decides nothing"),
                  .head = head({"hint", "answer", "of", "read from"}),
                  .rows = rows});
}

Markup control_cell(const Ledger::Entry* entry) {
    if (entry == nullptr) return {};
    if (entry->holds()) return compose("<i class=\"mark through\">&#10003;</i> {}", text(words(entry)));
    return compose("{} <b>{}</b>", mark(entry, ' '), text(words(entry)));
}

Markup edges(const Record& record) {
    std::map<std::string, std::vector<std::string>> by_path;
    for (const Edge& edge : record.edges)
        by_path[one_line(edge.path, 128)].push_back(
            format("gpu{} to gpu{} ({})", edge.from, edge.to, edge.channels));
    Markup list;
    for (const auto& [path, some] : by_path)
        list += compose("<li><b>{}</b>: {}</li>", text(path, 140), text(some_of(some, 600), 640));
    return list.empty() ? list : compose("<ul>{}</ul>", list);
}

Markup number(const std::optional<double>& speed, const std::optional<int>& lanes) {
    if (!speed || !lanes) return text("unknown");
    return compose("{:g} GT/s x{}", *speed, *lanes);
}

Markup links(const Plan& plan) {
    Markup rows;
    for (const GpuLinks& gpu : plan.links) {
        for (const Hop& hop : gpu.hops)
            rows += row({compose("gpu{}", gpu.gpu), text(hop.kind, 40), text(hop.device, 60),
                         number(hop.speed, hop.lanes), number(hop.max_speed, hop.max_lanes),
                         text(hop.unknown, 200)});
        if (!gpu.host_link.empty())
            rows += row({compose("gpu{}", gpu.gpu),
                         text("beside PCIe"),
                         text(gpu.host_link, 100),
                         {},
                         {},
                         text("what it carries is not read")});
        if (!gpu.unknown.empty())
            rows += row({compose("gpu{}", gpu.gpu), {}, {}, {}, {}, text(gpu.unknown, 300)});
        const auto active = std::count_if(gpu.nvlinks.begin(), gpu.nvlinks.end(),
                                          [](const NvLink& link) { return link.active; });
        if (!gpu.nvlinks.empty())
            rows += row({compose("gpu{}", gpu.gpu),
                         text("NVLink"),
                         compose("{} of {} active", active, gpu.nvlinks.size()),
                         compose("{:.3f} GB/s each", gpu.nvlinks.front().mb_per_s / 1000),
                         {},
                         text(gpu.nvlink_source, 60)});
    }
    if (rows.empty()) return {};
    return table(
        {.caption = text("The way up from each GPU; idle links train down, so what is read at rest may "
                         "be less than they can"),
         .head = head({"gpu", "hop", "device", "at rest", "at most", "unknown because"}),
         .rows = rows});
}

}  // namespace

Markup findings_section(const View& view) {
    Markup items, missing;
    for (const Finding& finding : view.verdict.findings) {
        if (finding.word == not_run)
            missing += compose("<li>{}</li>\n", text(finding.text, 1000));
        else
            items += compose("<li><b>{}</b>: {}{}</li>\n", text(finding.word, 80), text(finding.text, 1000),
                             finding.contradicts_open ? compose(" <b>(contradicts open)</b>") : Markup());
    }
    Markup body = items.empty() ? compose("<p>None.</p>\n") : compose("<ul>{}</ul>\n", items);
    if (!missing.empty()) body += compose("<h3>Not run</h3>\n<ul>{}</ul>\n", missing);
    return section("findings", "Findings", body);
}

Markup rows_section(const View& view) {
    Markup rows;
    for (const Row& one : rows_of(view.ledger))
        rows += row({text(one.title, 80), compose("{} of {}", one.held, one.of), answers(one)});
    return section("rows", "What was asked of every pair",
                   table({.caption = text("Of how many directed pairs each is true"),
                          .head = head({"check", "pairs", "answers"}),
                          .rows = rows}));
}

Markup reached_section(const View& view) {
    Markup items;
    for (const std::string& line : reached_lines(view.ledger))
        items += compose("<li>{}</li>\n", text(line, 600));
    return items.empty() ? items : section("reached", "Memory reached", compose("<ul>{}</ul>\n", items));
}

Markup hints_section(const View& view) {
    if (!view.session().plan) return {};
    return section("hints", "Hints against the truth", windows(view) + further_hints(*view.session().plan));
}

Markup controls_section(const View& view) {
    std::map<std::string, std::map<std::string, const Ledger::Entry*>> checks;
    std::vector<std::string> places;
    for (const Family family : {Family::control, Family::closing}) {
        for (const auto* entry : view.ledger.of(family)) {
            const std::string place = place_of(*entry->planned),
                              name = family == Family::closing ? "closing: " + entry->planned->check
                                                               : entry->planned->check;
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
            checks[name][place] = entry;
        }
    }
    if (checks.empty()) return {};
    Markup checked = compose("<th scope=\"col\">GPU</th>"), rows;
    for (const auto& [check, by_place] : checks)
        checked += compose("<th scope=\"col\">{}</th>", text(spaced(check), 60));
    for (const std::string& place : places) {
        Markup cells = compose("<th scope=\"row\">{}</th>", text(place, 60));
        for (const auto& [check, by_place] : checks) {
            const auto at = by_place.find(place);
            cells += compose("<td>{}</td>", control_cell(at == by_place.end() ? nullptr : at->second));
        }
        rows += compose("<tr>{}</tr>\n", cells);
    }
    return section("controls", "Controls",
                   table({.caption = text("Tests of the suite itself: it must be able to say no, and at the "
                                          "end the GPUs must still be "
                                          "there. A hook means that the control saw what it had to see."),
                          .head = compose("<thead><tr>{}</tr></thead>\n", checked),
                          .rows = rows}));
}

Markup collective_section(const View& view) {
    const auto cases = view.ledger.of(Family::collective);
    if (cases.empty()) {
        if (!view.session().plan) return {};
        const auto& reasons = view.session().plan->not_run;
        const auto why = reasons.find("collective");
        return section("collective", "Collective",
                       compose("<p>Not run{}.</p>\n", text(why == reasons.end() ? "" : ": " + why->second)));
    }
    Markup rows;
    for (const auto* entry : cases) {
        rows += row({text(spaced(entry->planned->check), 80), text(place_of(*entry->planned), 80),
                     compose("{} {}", mark(entry, 'S'), text(words(entry))),
                     entry->record ? text(entry->record->summary, 300) : Markup(),
                     entry->record ? edges(*entry->record) : Markup()});
    }
    return section(
        "collective", "Collective",
        table({.caption = text("All-reduces over several GPUs. An edge is a path that the library says "
                               "it took, with its channels."),
               .head = head({"check", "gpus", "outcome", "what was seen", "edges"}),
               .rows = rows}));
}

Markup bench_section(const View& view) {
    const auto& plan = view.session().plan;
    if (!plan) return {};
    Markup gpus, environment;
    for (const Gpu& gpu : plan->gpus)
        gpus += row({compose("gpu{}", gpu.index), text(gpu.name, 100), text(gpu.bus_id, 40),
                     compose("<span class=\"mono\">{}</span>", text(gpu.uuid, 60)),
                     compose("{:.1f} GiB", static_cast<double>(gpu.memory_bytes) / (1 << 30)),
                     text(gpu.compute_capability, 20)});
    for (const auto& [name, value] : plan->environment)
        environment +=
            compose("<dt>{}</dt><dd class=\"mono\">{}</dd>\n", text(spaced(name), 80), text(value, 2000));
    environment +=
        compose("<dt>folder</dt><dd class=\"mono\">{}</dd>\n<dt>deadline of a case</dt><dd>{} s</dd>\n",
                text(view.session().folder, 1000), plan->deadline_s);
    return section("bench", "Bench and environment",
                   table({.caption = text("The GPUs, in the order of their bus ids"),
                          .head = head({"gpu", "name", "bus id", "UUID", "memory", "compute"}),
                          .rows = gpus}) +
                       links(*plan) + compose("<dl class=\"facts\">{}</dl>\n", environment));
}

}  // namespace peerproof::html
