#include "reports/commands/soak_progress.hpp"

#include <algorithm>

#include "session/duration.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/plan.hpp"

namespace peerproof {

std::string soak_progress(const Soak& soak) {
    std::string text = format("soak: round {}", with_commas(soak.rounds + 1));
    if (soak.planned_s > soak.seconds)
        text += format(", {} left", duration_text(soak.planned_s - soak.seconds));
    text += format(", {} operations, {}, {} wrong", with_commas(soak.operations), bytes_text(soak.bytes),
                   with_commas(soak.wrong));
    const GpuHealth* hottest = nullptr;
    const auto temperature = [](const GpuHealth& one) {
        const auto found = one.values.find("temperature_c");
        return found == one.values.end() ? -1000 : found->second;
    };
    for (const GpuHealth& one : soak.after) {
        if (temperature(one) > (hottest == nullptr ? -1000 : temperature(*hottest))) hottest = &one;
    }
    if (hottest != nullptr)
        text += format(", hottest gpu{} at {:.0f} C", hottest->gpu, temperature(*hottest));
    return text;
}

std::string soak_progress_of(const CtestOutput& output, const std::filesystem::path& session_folder) {
    const std::string id = case_id(Family::soak, "rounds", "bench");
    const auto& running = output.running();
    if (session_folder.empty() || std::find(running.begin(), running.end(), id) == running.end()) return "";
    try {
        const Record record = read_record(session_folder / "records" / (id + ".json"));
        return record.soak && !record.finished ? soak_progress(*record.soak) : "";
    } catch (const std::exception&) {
        return "";  // progress without it
    }
}

}  // namespace peerproof
