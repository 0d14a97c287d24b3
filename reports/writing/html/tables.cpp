// The sections that are tables and lists: findings, the article's rows, hints against the truth, controls,
// the collective, the bench itself.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/judging/findings.hpp"
#include "reports/judging/hints.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/check_rows.hpp"
#include "reports/writing/html/outcome_shape.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/memory_reached.hpp"

namespace peerproof::html {
namespace {

std::string head(std::initializer_list<const char*> names) {
    std::string cells;
    for (const char* name : names) cells += fmt::format("<th scope=\"col\">{}</th>", name);
    return "<thead><tr>" + cells + "</tr></thead>\n";
}

std::string row(std::initializer_list<std::string> cells) {
    std::string markup = "<tr>";
    for (const std::string& cell : cells)
        markup += markup.size() == 4 ? fmt::format("<th scope=\"row\">{}</th>", cell)
                                     : fmt::format("<td>{}</td>", cell);
    return markup + "</tr>\n";
}

std::string table(const std::string& caption, const std::string& header, const std::string& rows) {
    return fmt::format(
        "<div class=\"wide\"><table><caption>{}</caption>\n{}<tbody>\n{}</tbody></table></div>\n", caption,
        header, rows);
}

std::string answers(const Row& row) {
    std::string list;
    for (std::size_t i = 0; i < row.answers.size() && i < 6; ++i)
        list += fmt::format("{}{} x {}", i == 0 ? "" : ", ", row.answers[i].second,
                            text(row.answers[i].first, 120));
    return row.answers.size() > 6 ? list + ", and others" : list;
}

// Windows of which the same was said, and through which the same got.
std::string windows(const View& view) {
    std::map<std::vector<std::string>, std::vector<std::string>> alike;
    for (const Window& window : windows_of(view.ledger)) {
        const bool contradicted = window.tried > 0 && (window.capability == "yes" || window.enabled()) !=
                                                          (window.loads && window.stores);
        alike[{window.capability.empty() ? "not asked" : window.capability,
               window.enabling.empty() ? "not tried" : window.enabling, window.loads ? "yes" : "no",
               window.stores ? "yes" : "no", contradicted ? "<b>contradicts</b>" : "agrees"}]
            .push_back(fmt::format("gpu{} into gpu{}", window.actor, window.owner));
    }
    std::string rows;
    for (const auto& [said, names] : alike)
        rows += row({text(fmt::format("{}: {}", names.size(), some_of(names, 200)), 240), text(said[0], 100),
                     text(said[1], 100), said[2], said[3], said[4]});
    if (rows.empty()) return "";
    return table(
        "What the driver said of each window (one card's access to another's memory), beside what got "
        "through it",
        head({"windows", "capability bit", "enabling", "loads get through", "stores get through",
              "hint and truth"}),
        rows);
}

std::string where(const Hint& hint) {
    if (hint.gpu == Hint::none) return "machine";
    return hint.peer == Hint::none ? fmt::format("gpu{}", hint.gpu)
                                   : fmt::format("gpu{} into gpu{}", hint.gpu, hint.peer);
}

// Hints of the plan: the same answer of many cards is one row.
std::string further_hints(const Plan& plan) {
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> alike;
    for (const Hint& hint : plan.hints) alike[{hint.name, hint.value, hint.source}].push_back(where(hint));
    std::string rows;
    for (const auto& [said, places] : alike) {
        const auto& [name, value, source] = said;
        rows += row({text(spaced(name), 80), text(value, 256), text(some_of(places, 160), 200),
                     "<span class=\"quiet\">" + text(source, 200) + "</span>"});
    }
    if (rows.empty()) return "";
    return table("What else was read; it decides nothing", head({"hint", "answer", "of", "read from"}), rows);
}

std::string control_cell(const Ledger::Entry* entry) {
    if (entry == nullptr) return "";
    if (entry->holds()) return "<i class=\"mark through\">&#10003;</i> " + words(entry);
    return mark(entry, ' ') + " <b>" + words(entry) + "</b>";
}

std::string edges(const Record& record) {
    std::map<std::string, std::vector<std::string>> by_road;
    for (const Edge& edge : record.edges)
        by_road[one_line(edge.road, 128)].push_back(
            fmt::format("gpu{} to gpu{} ({})", edge.from, edge.to, edge.channels));
    std::string list;
    for (const auto& [road, some] : by_road)
        list += fmt::format("<li><b>{}</b>: {}</li>", text(road, 140), text(some_of(some, 600), 640));
    return list.empty() ? "" : "<ul>" + list + "</ul>";
}

std::string number(const std::optional<double>& speed, const std::optional<int>& lanes) {
    if (!speed || !lanes) return "unknown";
    return fmt::format("{:g} GT/s x{}", *speed, *lanes);
}

std::string links(const Plan& plan) {
    std::string rows;
    for (const CardLinks& card : plan.links) {
        for (const Hop& hop : card.hops)
            rows += row({fmt::format("gpu{}", card.gpu), text(hop.kind, 40), text(hop.device, 60),
                         number(hop.speed, hop.lanes), number(hop.max_speed, hop.max_lanes),
                         text(hop.unknown, 200)});
        if (!card.host_link.empty())
            rows += row({fmt::format("gpu{}", card.gpu), "beside PCIe", text(card.host_link, 100), "", "",
                         "what it carries is not read"});
        if (!card.unknown.empty())
            rows += row({fmt::format("gpu{}", card.gpu), "", "", "", "", text(card.unknown, 300)});
        const auto active = std::count_if(card.nvlinks.begin(), card.nvlinks.end(),
                                          [](const NvLink& link) { return link.active; });
        if (!card.nvlinks.empty())
            rows += row({fmt::format("gpu{}", card.gpu), "NVLink",
                         fmt::format("{} of {} active", active, card.nvlinks.size()),
                         fmt::format("{:.3f} GB/s each", card.nvlinks.front().mb_per_s / 1000), "",
                         text(card.nvlink_source, 60)});
    }
    if (rows.empty()) return "";
    return table(
        "The way up from each card; idle links train down, so what is read at rest may be less than they can",
        head({"card", "hop", "device", "at rest", "at most", "unknown because"}), rows);
}

}  // namespace

std::string findings_section(const View& view) {
    std::string items, missing;
    for (const Finding& finding : view.verdict.findings) {
        if (finding.word == not_run)
            missing += fmt::format("<li>{}</li>\n", text(finding.text, 1000));
        else
            items +=
                fmt::format("<li><b>{}</b>: {}{}</li>\n", text(finding.word, 80), text(finding.text, 1000),
                            finding.contradicts_open ? " <b>(contradicts open)</b>" : "");
    }
    std::string body = items.empty() ? "<p>None.</p>\n" : "<ul>" + items + "</ul>\n";
    if (!missing.empty()) body += "<h3>Not run</h3>\n<ul>" + missing + "</ul>\n";
    return section("findings", "Findings", body);
}

std::string rows_section(const View& view) {
    std::string rows;
    for (const Row& one : rows_of(view.ledger))
        rows += row({text(one.title, 80), fmt::format("{} of {}", one.held, one.of), answers(one)});
    return section(
        "rows", "What was asked of every pair",
        table("Of how many directed pairs each is true", head({"check", "pairs", "answers"}), rows));
}

std::string reached_section(const View& view) {
    std::string items;
    for (const std::string& line : reached_lines(view.ledger))
        items += fmt::format("<li>{}</li>\n", text(line, 600));
    return items.empty() ? "" : section("reached", "Memory reached", "<ul>" + items + "</ul>\n");
}

std::string hints_section(const View& view) {
    if (!view.session().plan) return "";
    return section("hints", "Hints against the truth", windows(view) + further_hints(*view.session().plan));
}

std::string controls_section(const View& view) {
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
    if (checks.empty()) return "";
    std::string header = "<thead><tr><th scope=\"col\">card</th>", rows;
    for (const auto& [check, by_place] : checks)
        header += fmt::format("<th scope=\"col\">{}</th>", text(spaced(check), 60));
    for (const std::string& place : places) {
        rows += fmt::format("<tr><th scope=\"row\">{}</th>", text(place, 60));
        for (const auto& [check, by_place] : checks) {
            const auto at = by_place.find(place);
            rows += "<td>" + control_cell(at == by_place.end() ? nullptr : at->second) + "</td>";
        }
        rows += "</tr>\n";
    }
    return section(
        "controls", "Controls",
        table("Tests of the ruler: it must be able to say no, and at the end the cards must still be "
              "there. A hook means that the control saw what it had to see.",
              header + "</tr></thead>\n", rows));
}

std::string collective_section(const View& view) {
    const auto cases = view.ledger.of(Family::collective);
    if (cases.empty()) {
        if (!view.session().plan) return "";
        const auto& reasons = view.session().plan->not_run;
        const auto why = reasons.find("collective");
        return section(
            "collective", "Collective",
            fmt::format("<p>Not run{}.</p>\n", why == reasons.end() ? "" : ": " + text(why->second, 400)));
    }
    std::string rows;
    for (const auto* entry : cases) {
        rows += row({text(spaced(entry->planned->check), 80), text(place_of(*entry->planned), 80),
                     mark(entry, 'S') + " " + words(entry),
                     entry->record ? text(entry->record->summary, 300) : "",
                     entry->record ? edges(*entry->record) : ""});
    }
    return section(
        "collective", "Collective",
        table("Sums over several cards. An edge is a road that the library says it took, with its channels.",
              head({"check", "cards", "outcome", "what was seen", "edges"}), rows));
}

std::string bench_section(const View& view) {
    const auto& plan = view.session().plan;
    if (!plan) return "";
    std::string cards, environment;
    for (const Gpu& gpu : plan->gpus)
        cards += row({fmt::format("gpu{}", gpu.index), text(gpu.name, 100), text(gpu.bus_id, 40),
                      "<span class=\"mono\">" + text(gpu.uuid, 60) + "</span>",
                      fmt::format("{:.1f} GiB", static_cast<double>(gpu.memory_bytes) / (1 << 30)),
                      text(gpu.compute_capability, 20)});
    for (const auto& [name, value] : plan->environment)
        environment +=
            fmt::format("<dt>{}</dt><dd class=\"mono\">{}</dd>\n", text(spaced(name), 80), text(value, 2000));
    environment +=
        fmt::format("<dt>folder</dt><dd class=\"mono\">{}</dd>\n<dt>deadline of a case</dt><dd>{} s</dd>\n",
                    text(view.session().folder, 1000), plan->deadline_s);
    return section("bench", "Bench and environment",
                   table("The cards, in the order of their bus ids",
                         head({"card", "name", "bus id", "UUID", "memory", "compute"}), cards) +
                       links(*plan) + "<dl class=\"facts\">" + environment + "</dl>\n");
}

}  // namespace peerproof::html
