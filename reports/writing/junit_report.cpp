#include "reports/writing/junit_report.hpp"

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "reports/judging/findings.hpp"
#include "reports/judging/ledger.hpp"
#include "reports/reading/plain_text.hpp"
#include "reports/writing/first_difference.hpp"
#include "reports/writing/junit_properties.hpp"
#include "reports/writing/text_report.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

constexpr std::size_t message_limit = 1000;
constexpr std::size_t name_limit = 1000;  // more than any name takes: what is cut may be no longer unique

void set(pugi::xml_node node, const char* name, std::string_view text, std::size_t limit = message_limit) {
    node.append_attribute(name).set_value(xml_text(text, limit).c_str());
}

std::string seconds_text(double seconds) {
    return format("{:.3f}", std::isfinite(seconds) ? std::clamp(seconds, 0.0, 1e6) : 0.0);
}

// What becomes of a case in this file.
struct Fate {
    const char* element = nullptr;  // "failure", "error", "skipped", or none where it passes
    std::string type;
    std::string message;
    std::string text;
    std::string attached;  // beside an element: what GitLab makes a link of
};

const char* element_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::hung:
        case Outcome::crashed:
        case Outcome::unkillable:
        case Outcome::inconclusive:
        case Outcome::not_started:
        case Outcome::not_applicable:
            return "error";
        default:
            return "failure";
    }
}

std::string account_of(const Record& record) {
    std::string text = record.summary + "\n";
    for (const Step& step : record.steps) {
        text += format("step {}: {}", step.name, to_string(step.outcome));
        if (!step.diagnosis.empty()) text += ", " + step.diagnosis;
        if (!step.error.empty()) text += format(", {} answered {}", step.call, step.error);
        if (step.mismatched_words > 0)
            text += format(", {} words differ, {}", step.mismatched_words, first_difference(step));
        text += step.detail.empty() ? "\n" : ": " + step.detail + "\n";
    }
    for (const Hint& hint : record.hints)
        text += format("hint {} gpu{} into gpu{}: {}\n", hint.name, hint.gpu, hint.peer, hint.value);
    if (record.outcome != Outcome::delivered && !record.log.empty()) text += "log:\n" + record.log;
    return text;
}

class Document {
  public:
    Document(const Verdict& verdict, const Session& session)
        : verdict_(verdict), session_(session), ledger_(session) {
        const std::size_t cases = ledger_.entries().size() + 1;
        text_limit_ = std::clamp<std::size_t>(junit_file_limit / cases, 1024, junit_case_limit);
        for (const auto* control : ledger_.of(Family::control)) {
            if (!control->holds()) blocked_by_.push_back(control->planned->id);
        }
        for (const Reason& reason : verdict.reasons)
            reasoned_.insert(reason.cases.begin(), reason.cases.end());
    }

    std::string text() && {
        auto declaration = document_.prepend_child(pugi::node_declaration);
        declaration.append_attribute("version") = "1.0";
        declaration.append_attribute("encoding") = "UTF-8";
        root_ = document_.append_child("testsuites");
        set(root_, "name", marked("peerproof"), name_limit);
        verdict_suite();
        std::vector<std::pair<std::string, std::vector<const Ledger::Entry*>>> suites;
        std::map<std::string, std::size_t> by_name;
        for (const Ledger::Entry& entry : ledger_.entries()) {
            const std::string place = place_of(*entry.planned);
            const std::string name = entry.planned->family == Family::control   ? "controls " + place
                                     : entry.planned->family == Family::closing ? "closing " + place
                                                                                : place;
            const auto at = by_name.emplace(name, suites.size()).first->second;
            if (at == suites.size()) suites.push_back({name, {}});
            suites[at].second.push_back(&entry);
        }
        for (const auto& [name, entries] : suites) cases_suite(name, entries);
        counts(root_, all_);
        std::ostringstream out;
        document_.save(out, " ", pugi::format_indent, pugi::encoding_utf8);
        return out.str();
    }

  private:
    struct Counts {
        int tests = 0, failures = 0, errors = 0, skipped = 0;
        double seconds = 0;
    };

    std::string marked(const std::string& name) const {
        const std::string marked = verdict_.self_check ? "SELF-CHECK " + name : name;
        return verdict_.simulated ? format("SIMULATED {} {}", one_line(*verdict_.simulated, 80), marked)
                                  : marked;
    }

    // The class name is what most services show, and dots part it into packages.
    std::string class_name(const std::string& place) const {
        const std::string name = (verdict_.self_check ? "SELF-CHECK.p2p." : "p2p.") + place;
        if (!verdict_.simulated) return name;
        std::string bench = one_line(*verdict_.simulated, 80);
        std::replace(bench.begin(), bench.end(), '.', '_');
        return format("SIMULATED {}.{}", bench, name);
    }

    static void counts(pugi::xml_node node, const Counts& counts) {
        node.append_attribute("tests") = counts.tests;
        node.append_attribute("failures") = counts.failures;
        node.append_attribute("errors") = counts.errors;
        set(node, "time", seconds_text(counts.seconds));
    }

    pugi::xml_node suite(const std::string& name, const std::vector<const Ledger::Entry*>& entries) {
        auto node = root_.append_child("testsuite");
        set(node, "name", marked(name), name_limit);
        auto properties = node.append_child("properties");
        for (const auto& [key, value] : junit_properties(verdict_, session_, entries)) {
            auto one = properties.append_child("property");
            set(one, "name", one_line(key, 200));
            set(one, "value", one_line(value, message_limit));
        }
        return node;
    }

    void close(pugi::xml_node node, const Counts& of_suite) {
        counts(node, of_suite);
        node.append_attribute("skipped") = of_suite.skipped;
        if (session_.plan) {
            set(node, "timestamp", one_line(session_.plan->started, 40));
            const auto host = session_.plan->environment.find("host");
            if (host != session_.plan->environment.end()) set(node, "hostname", one_line(host->second, 200));
        }
        all_.tests += of_suite.tests;
        all_.failures += of_suite.failures;
        all_.errors += of_suite.errors;
        all_.seconds += of_suite.seconds;
    }

    void add_case(pugi::xml_node node, Counts& counts, const std::string& name, const std::string& place,
                  double seconds, const Fate& fate) {
        auto one = node.append_child("testcase");
        set(one, "name", name, name_limit);
        set(one, "classname", class_name(place), name_limit);
        set(one, "time", seconds_text(seconds));
        const std::string text = xml_text(fate.text, text_limit_);
        if (fate.element != nullptr) {
            auto wrong = one.append_child(fate.element);
            const std::string_view element = fate.element;
            if (element != "skipped") set(wrong, "type", fate.type);
            set(wrong, "message", one_line(fate.message, message_limit));
            wrong.text().set(text.c_str());
            if (!fate.attached.empty())
                one.append_child("system-out").text().set(xml_text(fate.attached, message_limit).c_str());
            ++(element == "error" ? counts.errors : element == "skipped" ? counts.skipped : counts.failures);
        } else if (!text.empty()) {
            one.append_child("system-out").text().set(text.c_str());
        }
        ++counts.tests;
        counts.seconds += std::isfinite(seconds) ? std::clamp(seconds, 0.0, 1e6) : 0;
    }

    void verdict_suite() {
        auto node = suite("verdict", {});
        Fate fate{.attached = junit_attachment(session_, "report.html")};
        fate.text = verdict_block(verdict_, session_);
        for (const Reason& reason : verdict_.reasons)
            fate.text += "reason: " + one_line(reason.text, 1000) + "\n";
        for (const Finding& finding : verdict_.findings)
            fate.text += format("FINDING {}: {}\n", one_line(finding.word, 80), one_line(finding.text, 1000));
        if (!verdict_.as_expected) {
            fate.element = verdict_.word == VerdictWord::no_verdict ? "error" : "failure";
            fate.type = to_string(verdict_.word);
            fate.message = format(
                "verdict {}, expected {}", to_string(verdict_.word),
                verdict_.expected_text + (verdict_.ways_hold ? "" : ", with the ways that are required"));
            if (!verdict_.reasons.empty()) fate.message += ": " + verdict_.reasons.front().text;
        }
        Counts counts;
        add_case(node, counts, "verdict", "verdict", 0, fate);
        close(node, counts);
    }

    void cases_suite(const std::string& name, const std::vector<const Ledger::Entry*>& entries) {
        auto node = suite(name, entries);
        Counts counts;
        for (const auto* entry : entries) {
            const Case& planned = *entry->planned;
            // Evidence that was not run is told in the verdict. As a passed case it would look as if it had
            // held.
            // Of what nobody had to ask again the verdict has a line.
            if (planned.family == Family::again && entry->does_not_apply()) continue;
            const bool gates_nothing = !planned.gates && verdict_.word != VerdictWord::no_verdict;
            if (gates_nothing && entry->record == nullptr) continue;
            add_case(node, counts, planned.id, place_of(planned), entry->record ? entry->record->seconds : 0,
                     fate_of(*entry));
        }
        close(node, counts);
    }

    Fate fate_of(const Ledger::Entry& entry) const {
        if (entry.record == nullptr) return without_record(entry);
        const Record& record = *entry.record;
        Fate fate{.text = account_of(record),
                  .attached = junit_attachment(session_, "logs/" + entry.planned->id + ".log")};
        const auto skipped = [&] {
            fate.element = "skipped";
            fate.message = format("{}: {}", to_string(record.outcome), record.summary);
            return fate;
        };
        // Its claim accepts that, and a pass it is not.
        if (entry.does_not_apply()) return skipped();
        if (entry.is_refused_way()) return finding_of(record, std::move(fate));
        if (entry.holds()) return fate;
        // Of a pair whose GPUs did not answer any more nothing is known: it is not what failed.
        if (entry.is(Outcome::not_started)) return skipped();
        // What stands in the way of a verdict is no mere finding.
        const bool leaves_no_verdict =
            verdict_.word == VerdictWord::no_verdict && reasoned_.contains(entry.planned->id);
        if (!leaves_no_verdict && (!entry.planned->gates || entry.only_a_finding())) {
            return finding_of(record, std::move(fate));
        }
        fate.element = element_of(record.outcome);
        fate.type = to_string(record.outcome);
        fate.message = format("{}: {}", to_string(record.outcome), record.summary);
        return fate;
    }

    static Fate finding_of(const Record& record, Fate fate) {
        fate.text = format("FINDING {}: {}", to_string(record.outcome), fate.text);
        return fate;
    }

    Fate without_record(const Ledger::Entry& entry) const {
        Fate fate{"error", "blocked", "never run", ""};
        if (entry.started) {
            fate.message = "started, and ended together with its supervisor";
        } else if (entry.spoken_of) {
            fate.message = "its record cannot be used, see the verdict";
        } else if (entry.planned->family != Family::control && entry.planned->family != Family::closing &&
                   !blocked_by_.empty()) {
            fate.message = "blocked by controls that did not hold: " + some_of(blocked_by_, 300);
        }
        fate.text = fate.message;
        return fate;
    }

    const Verdict& verdict_;
    const Session& session_;
    const Ledger ledger_;
    std::size_t text_limit_ = 0;
    std::vector<std::string> blocked_by_;
    std::set<std::string> reasoned_;  // cases that the reasons name
    pugi::xml_document document_;
    pugi::xml_node root_;
    Counts all_;
};

}  // namespace

std::string junit_report(const Verdict& verdict, const Session& session) {
    return Document(verdict, session).text();
}

}  // namespace peerproof
