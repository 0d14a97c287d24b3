#include "ctest/registration.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ctest/supervise/health_limit.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/held_gpus.hpp"

namespace peerproof {

namespace {

using Words = std::vector<std::string>;
using Properties = std::vector<std::pair<std::string, std::string>>;

constexpr int report_timeout_s = 120;
constexpr int timeout_margin_s = 30;  // CTest's own limit comes only after supervise has had every chance

// One element of a CMake list: a semicolon in it is not a separator.
std::string list_element(const std::string& text) {
    std::string escaped;
    for (const char c : text) escaped += c == ';' ? std::string{"\\;"} : std::string{c};
    return escaped;
}

std::string list(const Words& elements) { return join(elements, ";"); }

class Script {
  public:
    Script(const Plan& plan, const RegistrationPaths& paths)
        : plan_(plan), paths_(paths), environment_(environment()) {}

    std::string text() && {
        open();
        for (const Case& one : plan_.cases) add_case(one);
        verdict();
        return std::move(text_);
    }

  private:
    void open() {
        Words uuids;
        for (const Gpu& gpu : plan_.gpus) uuids.push_back(gpu.uuid);
        auto command = supervised({"--deadline", std::to_string(plan_.deadline_s)});
        command.insert(command.end(),
                       {program("conformance"), "--open", folder(), "--session", plan_.session});
        if (!uuids.empty()) command.insert(command.end(), {"--listed", join(uuids, ",")});
        add("bench.open", command,
            {{"FIXTURES_SETUP", "session"},
             {"TIMEOUT", case_timeout(plan_.deadline_s, 0)},
             {"ENVIRONMENT_MODIFICATION", environment_}});
    }

    void add_case(const Case& one) {
        auto command =
            supervised({"--session-folder", folder(), "--case", one.id, "--health", program("conformance")});
        command.insert(command.end(),
                       {program(one.family == Family::collective ? "collective" : "conformance"), "--plan",
                        folder() + "/plan.json", "--record-fd", "3", "--gtest_filter=" + one.test});
        Words labels{std::string{to_string(one.family)}};
        Words gpus;
        for (const int gpu : one.gpus) gpus.push_back(format("gpu{}", gpu));
        labels.insert(labels.end(), gpus.begin(), gpus.end());
        if (gpus.size() > 1) labels.push_back(place_of(one));

        Properties properties{{"LABELS", list(labels)},
                              {"TIMEOUT", case_timeout(deadline_of(plan_, one), one.gpus.size())},
                              {"ENVIRONMENT_MODIFICATION", environment_}};
        Words held;
        for (const int gpu : held_gpus(plan_, one)) held.push_back(format("gpu{}", gpu));
        if (!held.empty()) properties.emplace_back("RESOURCE_LOCK", list(held));
        if (const int processors = held_processors(one); processors > 1)
            properties.emplace_back("PROCESSORS", std::to_string(processors));
        if (!one.after.empty()) properties.emplace_back("DEPENDS", list(one.after));
        if (one.family == Family::control) {
            properties.emplace_back("FIXTURES_SETUP", "controls");
            properties.emplace_back("FIXTURES_REQUIRED", "session");
        } else {
            // A closing is the clean-up of what all others stand on: so it comes after the last of them, is
            // part of every selection, and runs where a control failed as well.
            const bool closes = one.family == Family::closing;
            if (closes) properties.emplace_back("FIXTURES_CLEANUP", "controls");
            properties.emplace_back("FIXTURES_REQUIRED", closes ? "session" : "session;controls");
        }
        // CTest takes a skipped control for a passed one, and a skipped core check would be a missing record.
        if (one.family != Family::control && one.family != Family::core && one.family != Family::closing) {
            properties.emplace_back("SKIP_RETURN_CODE", std::to_string(exit_not_applicable));
        }
        add(one.id, command, properties);
    }

    // Not of the fixture controls: where a control failed, somebody must still say so.
    void verdict() {
        add("verdict", {program("peerproof-report"), "verdict", folder(), "--session", plan_.session},
            {{"FIXTURES_CLEANUP", "session"}, {"TIMEOUT", std::to_string(report_timeout_s)}});
    }

    std::string environment() const {
        Words changes{"CUDA_DEVICE_ORDER=set:PCI_BUS_ID", "CUDA_LAUNCH_BLOCKING=unset:"};
        if (plan_.simulated) {
            changes.push_back("LD_LIBRARY_PATH=path_list_prepend:" + paths_.simulated_libraries.string());
            changes.push_back("PEERPROOF_BENCH=set:" + paths_.bench.string());
            changes.push_back("PEERPROOF_SIMULATED_STATE=set:" + folder() + "/simulated");
            changes.push_back("PEERPROOF_SYSFS=set:" + folder() + "/simulated/sys");
        }
        if (!paths_.baseline.empty()) changes.push_back("PEERPROOF_EXPECT=set:" + paths_.baseline.string());
        std::transform(changes.begin(), changes.end(), changes.begin(), list_element);
        return list(changes);
    }

    Words supervised(const Words& options) const {
        Words command{program("supervise"), "--grace", std::to_string(paths_.grace_s)};
        command.insert(command.end(), options.begin(), options.end());
        command.push_back("--");
        return command;
    }

    void add(const std::string& name, const Words& command, const Properties& properties) {
        text_ += format("add_test({}", cmake_argument(name));
        for (const auto& word : command) text_ += format(" {}", cmake_argument(word));
        text_ += format(")\nset_tests_properties({} PROPERTIES", cmake_argument(name));
        for (const auto& [key, value] : properties) text_ += format(" {} {}", key, cmake_argument(value));
        text_ += ")\n";
    }

    std::string program(const char* name) const { return (paths_.bin / name).string(); }
    std::string folder() const { return paths_.session_folder.string(); }
    // Each GPU may have to be asked, after the case, whether it still answers.
    std::string case_timeout(int deadline_s, std::size_t gpus) const {
        const int for_each = static_cast<int>(supervise::most_health_s) + paths_.grace_s;
        return std::to_string(deadline_s + paths_.grace_s + timeout_margin_s +
                              static_cast<int>(gpus) * for_each);
    }

    const Plan& plan_;
    const RegistrationPaths& paths_;
    std::string environment_;
    std::string text_;
};

}  // namespace

std::string registration_script(const Plan& plan, const RegistrationPaths& paths) {
    return Script{plan, paths}.text();
}

std::string cmake_argument(const std::string& text) {
    // The closing bracket must occur neither in the text nor where the text and the bracket meet.
    std::string equals;
    while (format("{}]", text).find(format("]{}]", equals)) != std::string::npos) equals += '=';
    // CMake drops a line break that follows the opening bracket at once.
    const char* first = text.starts_with('\n') || text.starts_with('\r') ? "\n" : "";
    return format("[{0}[{1}{2}]{0}]", equals, first, text);
}

}  // namespace peerproof
