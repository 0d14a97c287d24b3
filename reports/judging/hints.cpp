#include "reports/judging/hints.hpp"

#include <map>
#include <set>

#include "reports/judging/ceilings.hpp"
#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

using Asked = std::map<std::pair<int, int>, std::set<std::string>>;

std::string joined(const Asked& asked, int actor, int owner) {
    const auto at = asked.find({actor, owner});
    return at == asked.end() ? "" : join(at->second, " / ");
}

std::string capability_word(const std::string& value) {
    return value == "1" ? "yes" : value == "0" ? "no" : one_line(value, 60);
}

std::string what_gets_through(const Window& window) {
    if (window.loads && window.stores) return "loads and stores get through";
    return window.loads    ? "only loads get through"
           : window.stores ? "only stores get through"
                           : "nothing gets through";
}

// What is to be said of that window; nothing where hints and truth agree.
std::vector<std::string> contradictions(const Window& window) {
    std::vector<std::string> all;
    const bool asked = !window.capability.empty(), tried = !window.enabling.empty();
    const bool all_through = window.loads && window.stores, none_through = !window.loads && !window.stores;
    const auto say = [&](const std::string& hint) {
        all.push_back(hint + ", and " + what_gets_through(window));
    };
    if (window.tried > 0) {
        if (window.capability == "yes" && !all_through) say("the capability bit says yes");
        if (window.capability == "no" && !none_through) say("the capability bit says no");
        if (tried && window.enabled() && none_through) say("enabling succeeded");
        if (window.status == "OK" && none_through) say("NVML's P2P status says OK");
        if (!window.status.empty() && window.status.find("OK") == std::string::npos && !none_through)
            say("NVML's P2P status says " + window.status);
        if (window.nvlinks > 0 && none_through) say(format("{} NVLinks are active", window.nvlinks));
        if (tried && !window.enabled() && !none_through) say("enabling answered " + window.enabling);
    }
    if (window.capability.find(" / ") != std::string::npos)
        all.push_back("the capability bit changed between checks: " + window.capability);
    if (window.enabling.find(" / ") != std::string::npos)
        all.push_back("enabling changed between checks: " + window.enabling);
    if (asked && tried && window.capability == "yes" && !window.enabled())
        all.push_back("the capability bit says yes, and enabling answered " + window.enabling);
    if (asked && tried && window.capability == "no" && window.enabled())
        all.push_back("the capability bit says no, and enabling succeeded");
    return all;
}

std::string name_of(const Window& window) { return format("gpu{} into gpu{}", window.actor, window.owner); }

}  // namespace

bool Window::enabled() const {
    return enabling == "0 cudaSuccess" || enabling == "704 cudaErrorPeerAccessAlreadyEnabled";
}

std::vector<Window> windows_of(const Ledger& ledger) {
    Asked capability, enabling, status;
    for (const auto* entry : ledger.of(Family::core)) {
        if (entry->record == nullptr) continue;
        for (const Hint& hint : entry->record->hints) {
            const std::pair window{hint.gpu, hint.peer};
            if (hint.name == "can_access_peer") capability[window].insert(capability_word(hint.value));
            if (hint.name == "enable_peer_access") enabling[window].insert(one_line(hint.value, 60));
        }
    }
    if (ledger.session().plan) {
        for (const Hint& hint : ledger.session().plan->hints) {
            if (hint.name == "p2p_status_read" || hint.name == "p2p_status_write")
                if (!hint.value.starts_with("unknown"))
                    status[{hint.gpu, hint.peer}].insert(one_line(hint.value, 20));
        }
    }
    std::vector<Window> all;
    for (int actor = 0; actor < ledger.gpus(); ++actor) {
        for (int owner = 0; owner < ledger.gpus(); ++owner) {
            if (actor == owner) continue;
            Window window{actor, owner, joined(capability, actor, owner), joined(enabling, actor, owner)};
            window.status = joined(status, actor, owner);
            window.nvlinks = nvlinks_between(*ledger.session().plan, actor, owner);
            const auto* read = ledger.find(Family::core, "read", {owner, actor});
            const auto* write = ledger.find(Family::core, "write", {actor, owner});
            window.tried = (read && read->record ? 1 : 0) + (write && write->record ? 1 : 0);
            window.loads = read && read->is(Outcome::delivered);
            window.stores = write && write->is(Outcome::delivered);
            all.push_back(std::move(window));
        }
    }
    return all;
}

std::vector<Finding> hints_against_truth(const Ledger& ledger) {
    const std::vector<Window> all = windows_of(ledger);
    std::map<std::string, std::vector<const Window*>> by_text;
    for (const Window& window : all) {
        for (const std::string& text : contradictions(window)) by_text[text].push_back(&window);
    }
    std::vector<Finding> findings;
    for (const auto& [text, windows] : by_text) {
        Finding finding{"hint against truth", text, {}};
        std::vector<std::string> names;
        for (const Window* window : windows) {
            names.push_back(name_of(*window));
            finding.cases.push_back(
                case_id(Family::core, "read", place_name({window->owner, window->actor})));
            finding.cases.push_back(
                case_id(Family::core, "write", place_name({window->actor, window->owner})));
        }
        finding.text += names.size() == all.size() ? format(": each of the {} windows", all.size())
                                                   : ": " + some_of(names, 400);
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<std::string> hint_lines(const Ledger& ledger) {
    std::vector<std::string> lines;
    if (!ledger.session().plan) return lines;
    std::map<std::string, std::vector<std::string>> places;
    std::vector<std::string> order;
    std::map<std::string, std::string> sources;
    for (const Hint& hint : ledger.session().plan->hints) {
        const std::string said = format("{}: {}", one_line(hint.name, 60), one_line(hint.value, 200));
        if (!places.contains(said)) order.push_back(said);
        sources[said] = one_line(hint.source, 120);
        if (hint.gpu == Hint::none) continue;
        places[said].push_back(hint.peer == Hint::none ? format("gpu{}", hint.gpu)
                                                       : format("gpu{} into gpu{}", hint.gpu, hint.peer));
    }
    for (const std::string& said : order) {
        const auto& where = places[said];
        lines.push_back(
            format("{}{} ({})", said, where.empty() ? "" : ", " + some_of(where, 120), sources[said]));
    }
    return lines;
}

}  // namespace peerproof
