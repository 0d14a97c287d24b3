#include "tests/reports/writing/junit_rules.hpp"

#include <map>
#include <pugixml.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

struct Element {
    std::set<std::string> children, attributes, required;
    bool text = false;
};

const std::map<std::string, Element> elements{
    {"testsuites", {{"testsuite"}, {"name", "time", "tests", "failures", "errors"}, {}}},
    {"testsuite",
     {{"properties", "testcase", "system-out", "system-err"},
      {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
       "package", "file", "log", "url", "version"},
      {"name", "tests", "failures", "errors"}}},
    {"properties", {{"property"}, {}, {}}},
    {"property", {{}, {"name", "value"}, {"name", "value"}}},
    {"testcase",
     {{"skipped", "error", "failure", "system-out", "system-err"},
      {"name", "time", "classname", "group"},
      {"name"}}},
    {"failure", {{}, {"type", "message"}, {}, true}},
    {"error", {{}, {"type", "message"}, {}, true}},
    {"skipped", {{}, {"type", "message"}, {}, true}},
    {"system-out", {{}, {}, {}, true}},
    {"system-err", {{}, {}, {}, true}},
};

// GitLab's tables keep 255 characters of a name and of a suite; Jenkins keeps 100 000 of a failing case.
constexpr std::size_t name_limit = 255, case_limit = 64 * 1024, file_limit = 30'000'000;

class Rules {
  public:
    explicit Rules(const std::string& xml) {
        characters(xml);
        if (xml.size() >= file_limit) fault("{} bytes", xml.size());
        pugi::xml_document document;
        const auto parsed =
            document.load_buffer(xml.data(), xml.size(), pugi::parse_full, pugi::encoding_utf8);
        if (!parsed) {
            fault("not well-formed: {} at {}", parsed.description(), parsed.offset);
            return;
        }
        const auto root = document.document_element();
        if (std::string(root.name()) != "testsuites") fault("the root is {}", root.name());
        element(root);
        const auto total = sum(root);
        compare(root, total);
    }

    std::vector<std::string> faults;

  private:
    using Counts = std::map<std::string, int>;

    template <class... Parts>
    void fault(fmt::format_string<const Parts&...> text, const Parts&... parts) {
        faults.push_back(peerproof::format(text, parts...));
    }

    void characters(const std::string& xml) {
        if (printable(xml, xml.size()) != xml) fault("not UTF-8");
        for (const char c : xml) {
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r')
                return fault("character {}", static_cast<int>(c));
        }
        if (xml.find("\xef\xbf\xbe") != std::string::npos || xml.find("\xef\xbf\xbf") != std::string::npos)
            fault("U+FFFE or U+FFFF");
        for (std::size_t at = xml.find("&#"); at != std::string::npos; at = xml.find("&#", at + 1)) {
            const std::string reference = xml.substr(at, xml.find(';', at) + 1 - at);
            if (reference != "&#9;" && reference != "&#09;" && reference != "&#10;" && reference != "&#13;")
                return fault("reference {}", reference);
        }
    }

    void element(const pugi::xml_node& node) {
        const auto known = elements.find(node.name());
        if (known == elements.end()) return fault("element {}", node.name());
        std::set<std::string> given;
        for (const auto& attribute : node.attributes()) {
            if (!known->second.attributes.contains(attribute.name()))
                fault("{} has attribute {}", node.name(), attribute.name());
            if (!given.insert(attribute.name()).second)
                fault("{} has {} twice", node.name(), attribute.name());
        }
        for (const auto& name : known->second.required) {
            if (!given.contains(name)) fault("{} lacks {}", node.name(), name);
        }
        static const std::regex time("[0-9]+\\.[0-9]{3}");
        if (given.contains("time") && !std::regex_match(node.attribute("time").value(), time))
            fault("time {}", node.attribute("time").value());
        for (const auto& child : node.children()) {
            if (child.type() == pugi::node_element) {
                if (!known->second.children.contains(child.name()))
                    fault("{} in {}", child.name(), node.name());
                element(child);
            } else if (child.type() != pugi::node_pcdata || !known->second.text) {
                fault("node of type {} in {}", static_cast<int>(child.type()), node.name());
            }
        }
    }

    Counts sum(const pugi::xml_node& root) {
        Counts total;
        std::set<std::string> suites, cases;
        for (const auto& suite : root.children("testsuite")) {
            if (!suites.insert(suite.attribute("name").value()).second)
                fault("two suites {}", suite.attribute("name").value());
            Counts counts;
            for (const auto& one : suite.children("testcase")) {
                const std::string name = one.attribute("name").value();
                if (name.empty() || !cases.insert(name).second) fault("two cases '{}'", name);
                if (name.size() > name_limit ||
                    std::string(one.attribute("classname").value()).size() > name_limit)
                    fault("{} has a long name or class", name);
                ++counts["tests"];
                const int failures = one.child("failure") ? 1 : 0, errors = one.child("error") ? 1 : 0;
                // Only what its GPUs could not be asked any more or do not do; anything else that is skipped
                // looks passed.
                const std::string why = one.child("skipped").attribute("message").value();
                if (one.child("skipped") && !why.starts_with("not_started") &&
                    !why.starts_with("not_applicable"))
                    fault("{} is skipped", name);
                if (failures + errors > 1) fault("{} failed twice", name);
                counts["failures"] += failures;
                counts["errors"] += errors;
                std::ostringstream text;
                one.print(text, "", pugi::format_raw);
                if (text.str().size() > case_limit) fault("{} has {} bytes", name, text.str().size());
            }
            compare(suite, counts);
            for (const auto& [what, count] : counts) total[what] += count;
        }
        return total;
    }

    void compare(const pugi::xml_node& node, Counts counts) {
        for (const char* what : {"tests", "failures", "errors"}) {
            if (node.attribute(what).as_int(-1) != counts[what])
                fault("{} says {}={}, there are {}", node.attribute("name").value(), what,
                      node.attribute(what).value(), counts[what]);
        }
    }
};

}  // namespace

std::vector<std::string> junit_faults(const std::string& xml) { return Rules(xml).faults; }

}  // namespace peerproof
