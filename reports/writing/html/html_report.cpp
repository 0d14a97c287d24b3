#include "reports/writing/html/html_report.hpp"

#include <nlohmann/json.hpp>

#include "reports/writing/html/page.hpp"
#include "reports/writing/html/sections.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace html {

Markup section(const char* id, std::string_view title, const Markup& body) {
    if (body.empty()) return {};
    return compose(
        "<section id=\"about-{0}\" aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
        text(id), text(title), body);
}

namespace {

std::string title_of(const Verdict& verdict, const Session& session) {
    std::string title = format("{}: ", to_string(verdict.word));
    if (session.plan && session.plan->environment.contains("host"))
        title += session.plan->environment.at("host") + ", ";
    return title + session.id;
}

}  // namespace
}  // namespace html

std::string html_report(const Verdict& verdict, const Session& session) {
    using namespace html;
    const Ledger ledger(session);
    const View view{verdict, ledger, path_groups(ledger), measurements_of(ledger)};
    Frame frame{.title = title_of(verdict, session),
                .banner = verdict.banner(),
                .simulated = verdict.simulated.has_value(),
                .self_check = verdict.self_check,
                .styles = {page_css, report_css},
                .scripts = {report_js}};
    for (auto* part :
         {first_screen, matrix_section, findings_section, rows_section, reached_section, paths_section,
          measurements_section, hints_section, controls_section, ways_section, crowd_section, soak_section,
          again_section, collective_section, cases_section, time_section, bench_section})
        frame.body += part(view);
    frame.body += compose(
        "</main>\n<footer><p>Programs read report.json, its schema is in share/peerproof/schema. What each "
        "case "
        "printed is in logs/.</p></footer>\n");
    frame.data = data(evidence(view));
    return page(frame);
}

}  // namespace peerproof
