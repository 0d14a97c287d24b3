#include "tests/reports/writing/formats_agree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <pugixml.hpp>
#include <sstream>

#include "session/format.hpp"

namespace peerproof {
namespace {

using Json = nlohmann::json;

bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

std::size_t count(const std::string& in, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++found;
    return found;
}

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

// What stands between two texts, from `at` on.
std::string between(const std::string& text, const std::string& begin, const std::string& end,
                    std::size_t at = 0) {
    const std::size_t from = text.find(begin, at);
    if (from == std::string::npos) return "";
    const std::size_t begun = from + begin.size(), to = text.find(end, begun);
    return text.substr(begun, to == std::string::npos ? to : to - begun);
}

// The marks of the matrices, as README's readers know them.
const std::map<std::string, char> marks{{"illegal_address", '-'}, {"refused", '~'},       {"missing", '0'},
                                        {"wrong", '!'},           {"hung", 'H'},          {"crashed", '#'},
                                        {"unkillable", 'K'},      {"inconclusive", '?'},  {"other_path", '/'},
                                        {"not_started", 'n'},     {"not_applicable", '='}};

class Comparison {
  public:
    explicit Comparison(const Formats& formats) : formats_(formats), json_(Json::parse(formats.json)) {
        verdict();
        if (json_.at("plan").is_null()) return;
        read_records();
        matrices();
        page_cases();
        junit();
        failing();
        measurements();
        reached();
        findings();
        ways();
        again();
        crowd();
        soak();
        time();
    }

    std::vector<std::string> faults;

  private:
    template <class... Parts>
    void expect(bool holds, fmt::format_string<const Parts&...> text, const Parts&... parts) {
        if (!holds) faults.push_back(peerproof::format(text, parts...));
    }

    void verdict() {
        const std::string word = json_.at("verdict");
        expect(says(formats_.text, "verdict: " + word + "\n"), "text: verdict is not {}", word);
        expect(says(formats_.show, "verdict: " + word + "\n"), "terminal: verdict is not {}", word);
        expect(says(formats_.html, "<h1>" + spaced(word) + " "), "page: verdict is not {}", word);
        const std::string head = between(formats_.markdown, "peerproof: ", " (");
        expect(head == word || head == escaped(word), "markdown: verdict is {}, not {}", head, word);
        expect(says(formats_.junit, format("name=\"verdict\" value=\"{}\"", word)),
               "JUnit: verdict is not {}", word);
        if (json_.at("signature").is_null()) return;
        const std::string failures = format("failures={}", json_.at("signature").at("failures").get<int>());
        for (const auto* text : {&formats_.text, &formats_.show, &formats_.markdown})
            expect(says(*text, failures), "a format does not say {}", failures);
    }

    // Markdown has its marks as character references.
    static std::string escaped(const std::string& word) {
        std::string text;
        for (const char c : word) text += c == '_' ? std::string("&#95;") : std::string(1, c);
        return text;
    }

    // Only a record that may speak: finished, of this session, and the only one of its case.
    void read_records() {
        std::map<std::string, int> seen;
        for (const Json& record : json_.at("records")) ++seen[record.at("case").get<std::string>()];
        for (const Json& record : json_.at("records")) {
            const std::string id = record.at("case");
            if (seen[id] == 1 && record.at("state") == "finished" &&
                record.at("session") == json_.at("session"))
                records_[id] = &record;
        }
    }
    const Json* record_of(const std::string& id) const {
        const auto found = records_.find(id);
        return found == records_.end() ? nullptr : found->second;
    }
    std::string outcome_of(const std::string& id) const {
        const Json* record = record_of(id);
        return record == nullptr ? "" : record->at("outcome").get<std::string>();
    }
    int gpus() const { return static_cast<int>(json_.at("plan").at("gpus").size()); }

    std::string marks_of(int source, int destination) const {
        std::string text;
        for (const char* check : {"copy", "read", "write"}) {
            const std::string outcome =
                outcome_of(format("core.{}.gpu{}_to_gpu{}", check, source, destination));
            text += outcome.empty() ? '_' : outcome == "delivered" ? check[0] : marks.at(outcome);
        }
        return text;
    }

    void matrices() {
        if (gpus() < 2) return;
        const std::string of_text = matrix_lines(formats_.text), of_show = matrix_lines(formats_.show);
        expect(of_text == of_show, "the matrix of the terminal is not that of the text:\n{}\n{}", of_show,
               of_text);
        for (int source = 0; source < gpus(); ++source) {
            std::string row, markdown = format("| **gpu{}** |", source);
            for (int destination = 0; destination < gpus(); ++destination) {
                const std::string cell = source == destination ? "" : marks_of(source, destination);
                markdown += cell.empty() ? "   |" : format(" `{}` |", cell);
                if (destination < 16) row += " " + (cell.empty() ? " . " : cell);
                if (!cell.empty()) page_cell(source, destination);
            }
            row = format("{:<9}", format("gpu{}", source)) + row;
            row.erase(row.find_last_not_of(' ') + 1);
            expect(says(of_text, row + "\n"), "text: no matrix row '{}'", row);
            if (gpus() <= 32) expect(says(formats_.markdown, markdown), "markdown: no row {}", markdown);
        }
    }
    static std::string matrix_lines(const std::string& text) {
        std::istringstream lines(text);
        std::string found;
        bool inside = false;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("from \\ to")) inside = true;
            if (inside && !line.starts_with("from \\ to") && !line.starts_with("gpu")) inside = false;
            if (inside) found += line + "\n";
        }
        return found;
    }
    void page_cell(int source, int destination) {
        std::string label = format("aria-label=\"gpu{} to gpu{}:", source, destination);
        for (const char* check : {"copy", "read", "write"}) {
            const std::string outcome =
                outcome_of(format("core.{}.gpu{}_to_gpu{}", check, source, destination));
            if (outcome.empty()) return;
            label += format("{} {} {}", label.ends_with(':') ? "" : ",", check, spaced(outcome));
        }
        expect(says(formats_.html, label + "\""), "page: no cell with {}", label);
    }

    // The table of cases, and what report.js shows of each.
    void page_cases() {
        const Json data = Json::parse(between(formats_.html, "id=\"data\">", "</script>"));
        const auto& shown = data.at("cases");
        std::size_t place = 0;
        for (const Json& planned : json_.at("plan").at("cases")) {
            const std::string id = planned.at("id"), outcome = outcome_of(id);
            const std::size_t at = formats_.html.find("<td>" + id + "<td>");
            if (at == std::string::npos || place >= shown.size()) {
                expect(false, "page: no row of {}", id);
                continue;
            }
            const Json& one = shown.at(place++);
            if (outcome.empty()) continue;
            const std::string row = between(formats_.html, "<td>" + id + "<td>", "\n", at);
            const std::string words = between(row, "</i> ", "<td>"),
                              fate = between(row, words + "<td>", "<td", row.find("</i> "));
            expect(words == spaced(outcome), "page: {} is {}, not {}", id, words, outcome);
            const bool holds = accepts(planned, outcome), gates = planned.at("gates");
            const std::string wanted = outcome == "not_started" || does_not_apply(planned, outcome)
                                           ? "not run"
                                       : is_refused_way(planned, outcome) ? "finding"
                                       : holds                            ? "held"
                                       : gates                            ? "failed"
                                                                          : "finding";
            expect(fate == wanted, "page: {} is said to have {}, not {}", id, fate, wanted);
            if (one.is_null()) {
                expect(false, "page: no evidence of {}", id);
                continue;
            }
            expect(outcome == "delivered" || !one.contains("measurements"), "page: a bar for {}, which is {}",
                   id, outcome);
        }
    }
    static bool does_not_apply(const Json& planned, const std::string& outcome) {
        const std::string family = planned.at("family");
        return outcome == "not_applicable" && family != "core" && family != "control" && family != "closing";
    }
    // No API call that says no is a pass, where it might have said yes.
    static bool is_refused_way(const Json& planned, const std::string& outcome) {
        return planned.at("family") == "way" && outcome == "refused" && accepts(planned, outcome) &&
               accepts(planned, "delivered");
    }
    static bool accepts(const Json& planned, const std::string& outcome) {
        const auto& accepted = planned.at("accepted");
        return std::find(accepted.begin(), accepted.end(), outcome) != accepted.end();
    }

    void junit() {
        pugi::xml_document document;
        if (!document.load_string(formats_.junit.c_str())) return expect(false, "JUnit: not XML");
        std::map<std::string, pugi::xml_node> cases;
        for (const auto& suite : document.child("testsuites").children("testsuite")) {
            for (const auto& one : suite.children("testcase")) cases[one.attribute("name").value()] = one;
        }
        for (const Json& planned : json_.at("plan").at("cases")) {
            const std::string id = planned.at("id"), outcome = outcome_of(id), family = planned.at("family");
            const auto found = cases.find(id);
            if (found == cases.end()) {
                const bool was_not_needed = family == "again" && outcome == "not_applicable";
                expect(outcome.empty() || was_not_needed, "JUnit: {} is left out", id);
                continue;
            }
            if (outcome.empty()) continue;
            const pugi::xml_node wrong = found->second.child("failure") ? found->second.child("failure")
                                                                        : found->second.child("error");
            const bool skipped = static_cast<bool>(found->second.child("skipped"));
            expect(skipped == (outcome == "not_started" || does_not_apply(planned, outcome)),
                   "JUnit: {}, {}, is {}skipped", id, outcome, skipped ? "" : "not ");
            if (wrong)
                expect(wrong.attribute("type").value() == outcome, "JUnit: {} is {}, not {}", id,
                       wrong.attribute("type").value(), outcome);
            const bool holds =
                accepts(planned, outcome) || outcome == "not_started" || does_not_apply(planned, outcome);
            expect(!wrong || !holds, "JUnit: {} fails although {} was accepted", id, outcome);
            if (!holds && family == "core")
                expect(static_cast<bool>(wrong), "JUnit: {} is {}, and passes", id, outcome);
            const bool told = wrong || skipped ||
                              (accepts(planned, outcome) && !is_refused_way(planned, outcome)) ||
                              std::string_view(found->second.child("system-out").text().get())
                                  .starts_with("FINDING " + outcome);
            expect(told, "JUnit: {} is {}, and that is not said", id, outcome);
        }
    }

    void failing() {
        std::string places;
        for (const Json& one : json_.at("failing")) {
            const std::string id = one.at("case"), outcome = one.at("outcome");
            expect(outcome == outcome_of(id), "failing: {} is {} there", id, outcome);
            expect(says(formats_.text, format("core.{}: {}", one.at("check").get<std::string>(), outcome)),
                   "text: {} is not told as {}", id, outcome);
        }
        const bool some = !json_.at("failing").empty();
        expect(says(formats_.text, "\nfailing pairs: ") == some, "text: failing pairs are {}",
               some ? "missing" : "told");
        expect(says(formats_.html, "Failing pairs:") == some, "page: failing pairs are {}",
               some ? "missing" : "told");
        const bool told = std::any_of(json_.at("failing").begin(), json_.at("failing").end(),
                                      [](const Json& one) { return one.at("outcome") != "not_started"; });
        expect(says(formats_.markdown, "Failing core checks") == told, "markdown: failing checks are {}",
               told ? "missing" : "told");
    }

    // The rows of the page's measurements, by the name of the measurement and the place.
    using Row = std::vector<std::string>;
    std::map<std::pair<std::string, std::string>, Row> bars() const {
        std::map<std::pair<std::string, std::string>, Row> rows;
        const std::string section =
            between(formats_.html, "<section id=\"about-measurements\"", "</section>");
        for (std::size_t at = section.find("<h3>"); at != std::string::npos;
             at = section.find("<h3>", at + 1)) {
            const std::string name = between(section, "<h3>", "</h3>", at),
                              body = between(section, "<tbody>", "</tbody>", at);
            if (name == "Claimed, and not measured") continue;
            std::istringstream lines(body);
            for (std::string line; std::getline(lines, line);) {
                if (!line.starts_with("<tr>")) continue;
                Row cells;
                for (std::size_t cell = line.find("<td"); cell != std::string::npos;
                     cell = line.find("<td", cell + 1))
                    cells.push_back(between(line, ">", "</td>", cell));
                rows[{name, between(line, "<th scope=\"row\">", "</th>")}] = cells;
            }
        }
        return rows;
    }

    void measurements() {
        const auto rows = bars();
        const bool merged = std::any_of(rows.begin(), rows.end(),
                                        [](const auto& row) { return says(row.first.second, " places; "); });
        std::size_t measured = 0, claims = 0;
        bool by_kernels = false;  // something of a peer's memory
        for (const Json& planned : json_.at("plan").at("cases")) {
            const std::string id = planned.at("id"), place = id.substr(id.rfind('.') + 1);
            const Json* record = record_of(id);
            if (planned.at("family") != "measurement" || record == nullptr) continue;
            const bool delivered = record->at("outcome") == "delivered";
            by_kernels = by_kernels || (delivered && is_by_a_kernel(planned.at("check")));
            for (const Json& measurement : record->at("measurements")) {
                ++(delivered ? measured : claims);
                const std::string name = measurement.at("name");
                const double median = measurement.at("median");
                const auto row = rows.find({spaced(name), place});
                expect(says(formats_.junit,
                            format("name=\"{}.{}\"", planned.at("check").get<std::string>(), name)) ||
                           !delivered,
                       "JUnit: no property for {}", id);
                if (merged) continue;
                expect((row != rows.end()) == delivered, "page: {} is {}, and {} a bar", id,
                       record->at("outcome").get<std::string>(), row != rows.end() ? "has" : "has not");
                if (row == rows.end()) continue;
                expect(row->second.at(1) == format("{:.4g}", median), "page: {} has median {}, not {:.4g}",
                       id, row->second.at(1), median);
                note(id, row->second);
            }
            table_cell(planned, *record, rows);
        }
        expect(measured > 0 || rows.empty(), "page: bars, and nothing was measured");
        expect(says(formats_.html, "Claimed, and not measured") == (claims > 0),
               "page: {} claims, and the heading is {}", claims, claims > 0 ? "missing" : "there");
        const bool left_out = !by_kernels && !says(formats_.show, "GB/s, us");
        for (const auto& line : table_lines())
            expect(left_out || shown_tables() || says(formats_.show, line.second), "terminal: no line {}",
                   line.second);
    }
    static bool is_by_a_kernel(const std::string& check) {
        return says(check, "read") || says(check, "write") || check == "ping_pong";
    }
    // The terminal leaves lines out of a long table, and the whole of one that has nothing but copies.
    bool shown_tables() const { return table_lines().size() > 20; }

    // What is called impossible on the page is a finding, and the other way round.
    void note(const std::string& id, const Row& row) {
        bool found = false;
        for (const Json& finding : json_.at("findings")) {
            const auto& cases = finding.at("cases");
            found = found || (finding.at("finding") == "impossible" &&
                              std::find(cases.begin(), cases.end(), id) != cases.end());
        }
        const bool said = says(row.back(), "impossible");
        if (!says(id, "host_link"))
            expect(said == found, "page: {} is {}called impossible, and {} a finding", id, said ? "" : "not ",
                   found ? "is" : "is not");
        expect(!says(row.back(), "% of its") || row.at(3) != "unknown",
               "page: {} has a share of an unknown ceiling", id);
    }

    // The lines of the text's table, by place.
    std::map<std::string, std::string> table_lines() const {
        std::map<std::string, std::string> found;
        std::istringstream lines(formats_.text);
        bool inside = false;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("GB/s, us"))
                inside = true;
            else if (!line.starts_with("gpu"))
                inside = false;
            else if (inside)
                found[line.substr(0, line.find(' '))] = line;
        }
        return found;
    }
    void table_cell(const Json& planned, const Json& record,
                    const std::map<std::pair<std::string, std::string>, Row>& rows) {
        const std::map<std::string, std::size_t> columns{{"read_bandwidth", 2},
                                                         {"write_bandwidth", 3},
                                                         {"copy_bandwidth", 4},
                                                         {"staged_copy_bandwidth", 5},
                                                         {"read_latency", 7}};
        const auto column = columns.find(planned.at("check"));
        const std::string id = planned.at("id"), place = id.substr(id.rfind('.') + 1);
        if (column == columns.end()) return;
        const auto lines = table_lines();
        const auto line = lines.find(place);
        if (line == lines.end()) return expect(false, "text: no line of measurements for {}", place);
        std::istringstream words(line->second);
        const std::vector<std::string> cells{std::istream_iterator<std::string>(words), {}};
        const bool delivered = record.at("outcome") == "delivered" && !record.at("measurements").empty();
        const std::string wanted =
            delivered ? format("{:.2f}", record.at("measurements").at(0).at("median").get<double>()) : "-";
        expect(cells.at(column->second) == wanted, "text: {} is {}, not {}", id, cells.at(column->second),
               wanted);
        const auto row = rows.find({spaced(column->first), place});
        if (column->first != "read_bandwidth" || row == rows.end() || cells.at(1) == "-") return;
        expect((cells.at(1) == "?") == (row->second.at(3) == "unknown"),
               "the ceiling of {} is {} in the text and {} on the page", id, cells.at(1), row->second.at(3));
    }

    void reached() {
        const bool swept = says(formats_.text, "\nMemory reached\n");
        expect(says(formats_.html, ">Memory reached<") == swept, "page: memory reached, unlike the text");
        expect(says(formats_.markdown, "### Memory reached") == swept,
               "markdown: memory reached, unlike the text");
        for (int gpu = 0; swept && gpu < gpus(); ++gpu) {
            const std::string line = between(formats_.html, format("<li>gpu{}: ", gpu), "</li>");
            if (says(line, "words)"))
                expect(says(formats_.text, format("- gpu{}: {}", gpu, line)), "text: not on gpu{}: {}", gpu,
                       line);
        }
    }

    void findings() {
        std::size_t against = 0;
        for (const Json& finding : json_.at("findings")) {
            against += finding.at("contradicts_open").get<bool>() ? 1 : 0;
            const std::string word = finding.at("finding");
            if (word == "not run") continue;
            expect(says(formats_.text, "- " + word + ": "), "text: no finding '{}'", word);
            expect(says(formats_.html, "<li><b>" + word + "</b>"), "page: no finding '{}'", word);
            expect(says(formats_.junit, "FINDING " + word), "JUnit: no finding '{}'", word);
        }
        expect(count(formats_.html, "<b>(contradicts open)</b>") == against,
               "page: {} findings contradict open, not {}", count(formats_.html, "<b>(contradicts open)</b>"),
               against);
    }

    void again() { line_of("again"); }
    void crowd() { line_of("crowd"); }
    void soak() { line_of("soak"); }

    // The same line everywhere.
    void line_of(const std::string& name) {
        const std::string line = json_.value(name, "");
        if (line.empty()) return;
        const std::string said = "\n" + name + ": " + line + "\n";
        expect(says(formats_.text, said), "text: {} is not '{}'", name, line);
        expect(says(formats_.show, said), "terminal: {} is not '{}'", name, line);
        expect(says(plain(formats_.markdown), "**" + name + ":** " + line + "  \n"),
               "markdown: {} is not '{}'", name, line);
        const std::string of_page = between(formats_.html, "<p id=\"" + name + "-line\">", "</p>");
        expect(plain(of_page) == line, "page: {} is '{}', not '{}'", name, of_page, line);
    }

    // Every case that ran is in the time of its family, and each family in both.
    void time() {
        std::size_t ran = 0, counted = 0;
        for (const Json& planned : json_.at("plan").at("cases")) {
            const std::string outcome = outcome_of(planned.at("id"));
            ran += outcome.empty() || outcome == "not_started" ? 0 : 1;
        }
        for (const Json& family : json_.at("time").at("families")) {
            const std::string name = family.at("family");
            const std::size_t cases = family.at("cases");
            const double seconds = family.at("seconds");
            counted += cases;
            expect(says(formats_.text, format("\n{:<12} {:>6} {:>10.1f} ", name, cases, seconds)),
                   "text: no time of {} cases of {}", cases, name);
            expect(says(formats_.html, format("<th scope=\"row\">{}</th><td>{}</td><td>{:.1f} s</td>", name,
                                              cases, seconds)),
                   "page: no time of {} cases of {}", cases, name);
        }
        expect(counted == ran, "report.json: the time is that of {} cases, and {} ran", counted, ran);
    }

    // The line of the ways is the same everywhere, and what report.json counts is what the records say.
    void ways() {
        const Json& ways = json_.at("ways");
        const std::string line = ways.at("line");
        expect(says(formats_.text, "\nways: " + line + "\n"), "text: the ways are not '{}'", line);
        expect(says(formats_.show, "\nways: " + line + "\n"), "terminal: the ways are not '{}'", line);
        expect(says(plain(formats_.markdown), "**ways:** " + line + "  \n"),
               "markdown: the ways are not '{}'", line);
        const std::string of_page = between(formats_.html, "<p id=\"ways-line\">", "</p>");
        expect(plain(of_page) == line, "page: the ways are '{}', not '{}'", of_page, line);
        pugi::xml_document document;
        document.load_string(formats_.junit.c_str());
        for (const auto& suite : document.child("testsuites").children("testsuite")) {
            const auto property = suite.child("properties").find_child_by_attribute("name", "ways");
            const std::string value = property.attribute("value").value();
            expect(value == line, "JUnit: the ways are '{}', not '{}'", value, line);
        }
        std::map<std::pair<std::string, std::string>, std::size_t> seen, told;
        for (const Json& planned : json_.at("plan").at("cases")) {
            if (planned.at("family") != "way") continue;
            const std::string outcome = outcome_of(planned.at("id"));
            if (!outcome.empty()) ++seen[{planned.at("check"), outcome}];
        }
        for (const auto& [name, way] : ways.at("each").items()) {
            for (const Json& one : way.at("outcomes")) {
                const std::string outcome = one.at("outcome");
                expect(says(line, name + " ") &&
                           says(line, format("{} {}/", outcome, one.at("count").get<int>())),
                       "the line of the ways does not say how many of {} are {}", name, outcome);
                if (marks.contains(outcome) || outcome == "delivered")
                    told[{name, outcome}] += one.at("count").get<std::size_t>();
            }
        }
        expect(told == seen, "report.json: the ways are not counted as their records say");
    }

    // What references to characters stand for.
    static std::string plain(const std::string& text) {
        const std::map<std::string, std::string> names{
            {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}};
        std::string decoded;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string::npos;
            const std::string name = end == std::string::npos ? "" : text.substr(at + 1, end - at - 1);
            if (name.starts_with('#'))
                decoded += static_cast<char>(std::stoi(name.substr(1)));
            else if (names.contains(name))
                decoded += names.at(name);
            else {
                decoded += text[at];
                continue;
            }
            at = end;
        }
        return decoded;
    }

    const Formats& formats_;
    const Json json_;
    std::map<std::string, const Json*> records_;
};

}  // namespace

Formats formats_in(const std::filesystem::path& folder, std::string show) {
    const auto text_of = [&](const char* name) {
        std::ifstream stream(folder / name, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    return {text_of("report.json"), text_of("report.txt"), text_of("report.md"),
            text_of("report.html"), text_of("junit.xml"),  std::move(show)};
}

std::vector<std::string> disagreements(const Formats& formats) { return Comparison(formats).faults; }

}  // namespace peerproof
