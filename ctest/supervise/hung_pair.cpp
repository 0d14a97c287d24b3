#include "ctest/supervise/hung_pair.hpp"

#include <algorithm>

#include "ctest/supervise/decide.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

namespace {

// The control of the all-reduces is forbidden every path of peers, and all other all-reduces stand on it.
bool takes_no_path_of_peers(const Case& planned) { return planned.check == "all_reduce_without_p2p"; }

// Whether a hang of the one says what the other would come to. After a measurement that hung the other measurements of
// its GPUs are left out, and nothing else: NCCL's all-reduces use kernels of their own.
bool foretells(const Case& earlier, const Case& planned) {
    const bool is_core = earlier.family == Family::core;
    if (!is_core && (earlier.family != Family::measurement || planned.family != Family::measurement))
        return false;
    if (earlier.gpus.size() < 2) return false;
    return std::all_of(earlier.gpus.begin(), earlier.gpus.end(), [&](int gpu) {
        return std::find(planned.gpus.begin(), planned.gpus.end(), gpu) != planned.gpus.end();
    });
}

// "hung", or nothing where the case has no record of this session or came to its end.
std::string end_of(const fs::path& file, const Plan& plan, const Case& earlier) {
    if (!fs::exists(file)) return "";
    try {
        const Record record = read_record(file);
        return record.session == plan.session && record.case_id == earlier.id ? how_it_broke_off(record) : "";
    } catch (const FormatError&) {
        return "";  // the judge names a broken record
    }
}

}  // namespace

std::optional<std::string> hung_between(const fs::path& session_folder, const Plan& plan,
                                        const Case& planned) {
    if (!is_beside_the_core(planned.family) || takes_no_path_of_peers(planned)) return std::nullopt;
    for (const Case& earlier : plan.cases) {
        if (earlier.id == planned.id || !foretells(earlier, planned)) continue;
        const std::string how = end_of(session_folder / "records" / (earlier.id + ".json"), plan, earlier);
        if (!how.empty())
            return format("{} {}: what follows between these GPUs would hang as well", earlier.id, how);
    }
    return std::nullopt;
}

}  // namespace peerproof::supervise
