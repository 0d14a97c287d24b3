#include "ctest/supervise/asked_again.hpp"

#include <fstream>

#include "session/again.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

namespace {

std::map<std::string, Outcome> outcomes_of_core(const fs::path& session_folder, const Plan& plan) {
    std::map<std::string, Outcome> outcomes;
    for (const Case& one : plan.cases) {
        const fs::path file = session_folder / "records" / (one.id + ".json");
        if (one.family != Family::core || !fs::exists(file)) continue;
        try {
            const Record record = read_record(file);
            const bool is_ours = record.session == plan.session && record.case_id == one.id;
            if (is_ours && record.finished) outcomes[one.id] = record.outcome;
        } catch (const FormatError&) {}  // the judge names a broken record
    }
    return outcomes;
}

std::set<std::string> lines_of(const fs::path& file) {
    std::ifstream stream(file);
    std::set<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.insert(line);
    return lines;
}

}  // namespace

std::optional<std::string> needs_no_asking(const fs::path& session_folder, const Case& planned) {
    if (planned.family != Family::again) return std::nullopt;
    const fs::path file = session_folder / "again";
    if (!fs::exists(file)) {
        const Plan plan = read_plan(session_folder / "plan.json");
        write_file_atomically(
            file, join(pairs_to_ask_again(plan, outcomes_of_core(session_folder, plan)), "\n") + "\n");
    }
    if (lines_of(file).contains(place_of(planned))) return std::nullopt;
    return "not asked again: nothing failed on its GPUs";
}

}  // namespace peerproof::supervise
