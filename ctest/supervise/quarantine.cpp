#include "ctest/supervise/quarantine.hpp"

#include <algorithm>
#include <fstream>

#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

std::string gpu_file_name(const Plan& plan, int gpu) {
    const auto found =
        std::find_if(plan.gpus.begin(), plan.gpus.end(), [&](const Gpu& one) { return one.index == gpu; });
    std::string name = found != plan.gpus.end() ? found->uuid : "gpu" + std::to_string(gpu);
    for (char& c : name) {
        if (c == '/' || c == '.') c = '_';  // a uuid of a GPU's part may hold a slash
    }
    return name;
}

std::optional<std::string> quarantine_of(const fs::path& session_folder, const Plan& plan, int gpu) {
    std::ifstream file{session_folder / "quarantine" / gpu_file_name(plan, gpu)};
    if (!file) return std::nullopt;
    std::string why;
    std::getline(file, why);
    return why.empty() ? "is in quarantine" : printable(why, 300);
}

std::optional<std::string> find_quarantine(const fs::path& session_folder, const Plan& plan,
                                           const Case& planned) {
    for (const int gpu : planned.gpus) {
        if (const auto why = quarantine_of(session_folder, plan, gpu)) return format("gpu{} {}", gpu, *why);
    }
    return std::nullopt;
}

void set_quarantine(const fs::path& session_folder, const Plan& plan, int gpu, const std::string& why) {
    if (quarantine_of(session_folder, plan, gpu)) return;
    fs::create_directories(session_folder / "quarantine");
    write_file_atomically(session_folder / "quarantine" / gpu_file_name(plan, gpu), why + "\n");
}

}  // namespace peerproof::supervise
