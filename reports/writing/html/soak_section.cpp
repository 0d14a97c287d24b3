// The soak: the line of the verdict, what each pair had, and the GPUs' health before and after.

#include "reports/judging/soak.hpp"
#include "reports/writing/html/sections.hpp"
#include "reports/writing/html/table.hpp"
#include "session/format.hpp"
#include "session/plan.hpp"

namespace peerproof::html {
namespace {

Markup pairs_table(const Soak& soak) {
    Markup rows;
    for (const SoakPair& pair : soak.pairs) {
        const std::uint64_t operations = pair.all_operations(), wrong = pair.all_wrong();
        const std::string bound =
            wrong > 0 || operations == 0 ? "" : format("{:.4f} %", 100 * rate_at_most(operations));
        rows += row({text(place_name({pair.source, pair.destination}), 60), text(with_commas(operations)),
                     text(bytes_text(pair.bytes)), text(with_commas(wrong)), text(bound)});
    }
    return table(
        {.caption = text("Every operation of each pair, its bytes looked at by their owner. The last "
                         "column is the failure rate that clean operations leave possible, at 95 %."),
         .head = head({"pair", "operations", "bytes", "wrong", "goes wrong at most"}),
         .rows = rows});
}

std::string value_of(const GpuHealth& health, const std::string& name) {
    const auto found = health.values.find(name);
    return found == health.values.end() ? "not said" : format("{:.0f}", found->second);
}

Markup health_table(const Soak& soak) {
    Markup rows;
    for (const GpuHealth& after : soak.after) {
        for (const GpuHealth& before : soak.before) {
            if (before.gpu != after.gpu) continue;
            for (const auto& [name, value] : after.values)
                rows += row({text(format("gpu{}", after.gpu)), text(name, 60),
                             text(value_of(before, name), 40), text(value_of(after, name), 40)});
            for (const auto& [name, why] : after.not_said)
                rows += row({text(format("gpu{}", after.gpu)), text(name, 60), text("not said: " + why, 200),
                             text("")});
        }
    }
    return table({.caption = text("What NVML and sysfs said of each GPU before the first round and after the "
                                  "last."),
                  .head = head({"GPU", "", "before", "after"}),
                  .rows = rows});
}

}  // namespace

Markup soak_section(const View& view) {
    const std::string line = soak_line(view.ledger);
    if (line.empty()) return {};
    Markup body = compose("<p id=\"soak-line\">{}</p>\n", text(line, 2000));
    if (const Soak* soak = soak_of(view.ledger)) body += pairs_table(*soak) + health_table(*soak);
    return section("soak", "Soak", body);
}

}  // namespace peerproof::html
