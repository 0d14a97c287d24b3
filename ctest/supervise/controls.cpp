#include "ctest/supervise/controls.hpp"

#include <algorithm>

#include "ctest/supervise/decide.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

namespace {

std::optional<std::string> gap_of(const fs::path& file, const Plan& plan, const Case& control) {
    if (!fs::exists(file)) return format("{} has no record in this session", control.id);
    try {
        const Record record = read_record(file);
        if (record.session != plan.session || record.case_id != control.id || !record.finished) {
            return format("{} has not ended in this session", control.id);
        }
        if (is_accepted(control, record.outcome)) return std::nullopt;
        return format("{} did not hold in this session: {}", control.id, to_string(record.outcome));
    } catch (const FormatError& error) {
        return error.what();
    }
}

}  // namespace

std::optional<std::string> controls_gap(const fs::path& session_folder, const Plan& plan,
                                        const Case& planned) {
    if (planned.family == Family::control) return std::nullopt;
    for (const Case& control : plan.cases) {
        if (control.family != Family::control) continue;
        const bool ours = std::all_of(control.gpus.begin(), control.gpus.end(), [&](int gpu) {
            return std::find(planned.gpus.begin(), planned.gpus.end(), gpu) != planned.gpus.end();
        });
        if (!ours) continue;
        if (auto gap = gap_of(session_folder / "records" / (control.id + ".json"), plan, control)) return gap;
    }
    return std::nullopt;
}

}  // namespace peerproof::supervise
