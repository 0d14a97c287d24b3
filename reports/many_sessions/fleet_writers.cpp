// A fleet as text, HTML, JSON and one JUnit file.

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "reports/judging/ways.hpp"
#include "reports/many_sessions/fleet.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/html/page.hpp"
#include "reports/writing/html/table.hpp"
#include "reports/writing/junit_report.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

std::string verdict_of(const FleetBench& bench) {
    if (!bench.judged) return "unreadable";
    std::string text = bench.judged->verdict.self_check  ? "SELF-CHECK "
                       : bench.judged->verdict.simulated ? "SIMULATED "
                                                         : "";
    text += to_string(bench.judged->verdict.word);
    return text + (bench.judged->verdict.as_expected ? "" : " (not as expected)");
}

std::string signature_of(const FleetBench& bench) {
    return bench.judged && bench.judged->verdict.signature ? bench.judged->verdict.signature->text() : "";
}

std::string reason_of(const FleetBench& bench) {
    if (!bench.judged) return one_line(bench.trouble, 400);
    return bench.judged->verdict.reasons.empty() ? ""
                                                 : one_line(bench.judged->verdict.reasons.front().text, 400);
}

std::string line_of_ways(const FleetBench& bench) {
    return bench.judged ? ways_line(Ledger(bench.judged->session)) : "";
}

std::string session_of(const FleetBench& bench) {
    return bench.judged ? one_line(bench.judged->session.id, 100) : "";
}

std::string summary_of(const Fleet& fleet) {
    std::size_t held = 0, unreadable = 0;
    for (const FleetBench& bench : fleet.benches) {
        held += bench.exit_code() == 0 ? 1 : 0;
        unreadable += bench.judged ? 0 : 1;
    }
    return format("{} of {} benches as expected{}", held, fleet.benches.size(),
                  unreadable == 0 ? "" : format(", {} unreadable", unreadable));
}

bool any(const Fleet& fleet, bool (*is)(const Verdict&)) {
    for (const FleetBench& bench : fleet.benches) {
        if (bench.judged && is(bench.judged->verdict)) return true;
    }
    return false;
}

}  // namespace

std::string fleet_text(const Fleet& fleet) {
    std::string text = summary_of(fleet) + "\n\n";
    for (const FleetBench& bench : fleet.benches) {
        text += format("{:<20} {:<28} {}\n", bench.host(), verdict_of(bench), signature_of(bench));
        text += wrapped(
            one_line(bench.origin, 300) + (reason_of(bench).empty() ? "" : ": " + reason_of(bench)), "    ");
        if (!line_of_ways(bench).empty()) text += wrapped("ways: " + line_of_ways(bench), "    ");
    }
    if (!fleet.remarks.empty()) text += "\n";
    for (const std::string& remark : fleet.remarks) text += wrapped(remark, "- ");
    return text;
}

std::string fleet_html(const Fleet& fleet) {
    html::Frame frame{.title = "peerproof fleet: " + summary_of(fleet)};
    frame.simulated = any(fleet, [](const Verdict& verdict) { return verdict.simulated.has_value(); });
    frame.self_check = any(fleet, [](const Verdict& verdict) { return verdict.self_check; });
    if (frame.simulated)
        frame.banner = "SIMULATED benches are among these: they say nothing about real hardware";
    if (frame.self_check)
        frame.banner +=
            (frame.banner.empty() ? "" : "\n") + std::string("SELF-CHECKS of the suite are among these");
    html::Markup rows, remarks;
    for (const FleetBench& bench : fleet.benches) {
        const html::Markup verdict = html::text(verdict_of(bench));
        rows += html::row({html::text(bench.host(), 100),
                           bench.exit_code() == 0 ? verdict : html::compose("<b>{}</b>", verdict),
                           html::text(signature_of(bench)), html::text(reason_of(bench)),
                           html::text(line_of_ways(bench), 1000), html::text(session_of(bench)),
                           html::text(bench.origin, 300)});
    }
    for (const std::string& remark : fleet.remarks)
        remarks += html::compose("<li>{}</li>\n", html::text(remark, 600));
    frame.body = html::compose(
        "<header><h1>{}</h1></header>\n<main>\n{}{}</main>\n", html::text(summary_of(fleet)),
        remarks.empty() ? remarks : html::compose("<ul>\n{}</ul>\n", remarks),
        html::table(
            {.caption = html::text("Benches, the worst first"),
             .head = html::head({"bench", "verdict", "signature", "reason", "ways", "session", "from"}),
             .rows = rows}));
    return html::page(frame);
}

std::string fleet_json(const Fleet& fleet) {
    nlohmann::ordered_json benches = nlohmann::ordered_json::array();
    for (const FleetBench& bench : fleet.benches) {
        const bool read = bench.judged.has_value();
        benches.push_back(
            {{"from", bench.origin},
             {"host", bench.host()},
             {"session", session_of(bench)},
             {"verdict", read ? nlohmann::ordered_json(to_string(bench.judged->verdict.word)) : nullptr},
             {"simulated", read && bench.judged->verdict.simulated.has_value()},
             {"self_check", read && bench.judged->verdict.self_check},
             {"signature", signature_of(bench)},
             {"reason", reason_of(bench)},
             {"ways", line_of_ways(bench)},
             {"exit_code", bench.exit_code()}});
    }
    const nlohmann::ordered_json all{{"schema", "peerproof.fleet/1"},
                                     {"exit_code", fleet.exit_code()},
                                     {"remarks", fleet.remarks},
                                     {"benches", benches}};
    return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// The suites of every bench, each with the bench's name before its own.
std::string fleet_junit(const Fleet& fleet) {
    pugi::xml_document document;
    auto declaration = document.prepend_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    auto root = document.append_child("testsuites");
    root.append_attribute("name") = "peerproof fleet";
    int tests = 0, failures = 0, errors = 0;
    for (const FleetBench& bench : fleet.benches) {
        const std::string name = xml_text(bench.host(), 100);
        if (!bench.judged) {
            auto suite = root.append_child("testsuite");
            suite.append_attribute("name") = (name + " unreadable").c_str();
            suite.append_attribute("tests") = suite.append_attribute("errors") = 1;
            suite.append_attribute("failures") = 0;
            auto one = suite.append_child("testcase");
            one.append_attribute("name") = "verdict";
            one.append_attribute("classname") = ("p2p." + name).c_str();
            auto error = one.append_child("error");
            error.append_attribute("message") = xml_text(reason_of(bench), 400).c_str();
            error.append_attribute("type") = "unreadable";
            ++tests, ++errors;
            continue;
        }
        pugi::xml_document own;
        const std::string text = junit_report(bench.judged->verdict, bench.judged->session);
        own.load_buffer(text.data(), text.size());
        for (auto suite : own.child("testsuites").children("testsuite")) {
            auto copy = root.append_copy(suite);
            copy.attribute("name") = (name + " " + copy.attribute("name").value()).c_str();
            for (auto one : copy.children("testcase"))
                one.attribute("classname") = (name + "." + one.attribute("classname").value()).c_str();
            tests += copy.attribute("tests").as_int();
            failures += copy.attribute("failures").as_int();
            errors += copy.attribute("errors").as_int();
        }
    }
    root.append_attribute("tests") = tests;
    root.append_attribute("failures") = failures;
    root.append_attribute("errors") = errors;
    std::ostringstream out;
    document.save(out, " ", pugi::format_indent, pugi::encoding_utf8);
    return out.str();
}

}  // namespace peerproof
