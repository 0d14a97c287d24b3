#include "reports/many_sessions/fleet.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "reports/reading/plain_text.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

std::string value_of(const Session& session, const char* name) {
    if (!session.plan) return "";
    const auto found = session.plan->environment.find(name);
    return found == session.plan->environment.end() ? "" : found->second;
}

std::string driver_of(const Session& session) {
    if (!session.plan) return "";
    for (const Hint& hint : session.plan->hints) {
        if (hint.name == "driver_version" && !hint.value.starts_with("unknown")) return hint.value;
    }
    return value_of(session, "driver");
}

FleetBench read_bench(const fs::path& path) {
    FleetBench bench{.origin = path.string()};
    try {
        bench.judged = read_judged(path);
    } catch (const std::exception& error) {
        bench.trouble = error.what();
    }
    return bench;
}

void note_twins(const Fleet& fleet, std::vector<std::string>& remarks) {
    std::map<std::string, std::vector<std::string>> by_gpus;
    for (const FleetBench& bench : fleet.benches) {
        if (!bench.judged || !bench.judged->session.plan) continue;
        std::set<std::string> uuids;
        for (const Gpu& gpu : bench.judged->session.plan->gpus) uuids.insert(gpu.uuid);
        std::string key;
        for (const std::string& uuid : uuids) key += uuid + " ";
        if (!key.empty()) by_gpus[key].push_back(one_line(bench.origin, 200));
    }
    for (const auto& [gpus, origins] : by_gpus) {
        if (origins.size() > 1)
            remarks.push_back("the same GPUs more than once: " + some_of(origins, list_limit));
    }
}

template <class Value>
void note_mixed(const Fleet& fleet, const char* what, Value value, std::vector<std::string>& remarks) {
    std::map<std::string, std::size_t> counts;
    for (const FleetBench& bench : fleet.benches) {
        if (bench.judged && bench.judged->session.plan) ++counts[one_line(value(*bench.judged), 100)];
    }
    if (counts.size() < 2) return;
    std::vector<std::string> words;
    for (const auto& [word, count] : counts)
        words.push_back(format("{} ({})", word.empty() ? "unknown" : word, count));
    remarks.push_back(format("{} differs: {}", what, some_of(words, list_limit)));
}

}  // namespace

std::string FleetBench::host() const {
    const std::string name = judged ? value_of(judged->session, "host") : "";
    return one_line(name.empty() ? origin : name, 100);
}

int FleetBench::rank() const {
    if (!judged) return -1;
    if (judged->verdict.as_expected) return 10;
    switch (judged->verdict.word) {
        case VerdictWord::no_verdict:
            return 0;
        case VerdictWord::silent:
            return 1;
        case VerdictWord::hung:
            return 2;
        case VerdictWord::suspect:
            return 3;
        case VerdictWord::partial:
            return 4;
        default:
            return 5;
    }
}

int FleetBench::exit_code() const { return judged ? judged->verdict.exit_code : int{exit_no_verdict}; }

int Fleet::exit_code() const {
    int worst = benches.empty() ? int{exit_no_verdict} : int{exit_held};
    for (const FleetBench& bench : benches) worst = std::max(worst, bench.exit_code());
    return worst;
}

Fleet read_fleet(const std::vector<fs::path>& paths) {
    Fleet fleet;
    for (const fs::path& path : paths) fleet.benches.push_back(read_bench(path));
    std::stable_sort(fleet.benches.begin(), fleet.benches.end(),
                     [](const FleetBench& a, const FleetBench& b) { return a.rank() < b.rank(); });
    note_twins(fleet, fleet.remarks);
    note_mixed(
        fleet, "peerproof", [](const Judged& judged) { return judged.session.plan->suite; }, fleet.remarks);
    note_mixed(
        fleet, "the driver", [](const Judged& judged) { return driver_of(judged.session); }, fleet.remarks);
    note_mixed(
        fleet, "what they ran on",
        [](const Judged& judged) {
            return judged.verdict.self_check  ? std::string("a self-check")
                   : judged.verdict.simulated ? std::string("a simulated bench")
                                              : std::string("a real bench");
        },
        fleet.remarks);
    return fleet;
}

void write_fleet(const Fleet& fleet, const fs::path& folder) {
    fs::create_directories(folder);
    write_file_atomically(folder / "fleet.txt", fleet_text(fleet));
    write_file_atomically(folder / "fleet.html", fleet_html(fleet));
    write_file_atomically(folder / "junit.xml", fleet_junit(fleet));
    write_file_atomically(folder / "fleet.json", fleet_json(fleet));
}

}  // namespace peerproof
