#include "ctest/supervise/quarantine.hpp"

#include <algorithm>
#include <fstream>

#include "session/json.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

namespace {

fs::path file_of(const fs::path& session_folder, const Plan& plan, int index) {
    const auto gpu = std::find_if(plan.gpus.begin(), plan.gpus.end(),
                                  [&](const Gpu& card) { return card.index == index; });
    std::string name = gpu != plan.gpus.end() ? gpu->uuid : "gpu" + std::to_string(index);
    for (char& c : name) {
        if (c == '/' || c == '.') c = '_';  // a uuid of a card's part may hold a slash
    }
    return session_folder / "quarantine" / name;
}

}  // namespace

std::optional<Quarantine> find_quarantine(const fs::path& session_folder, const Plan& plan,
                                          const Case& planned) {
    for (const int gpu : planned.gpus) {
        std::ifstream file{file_of(session_folder, plan, gpu)};
        if (!file) continue;
        std::string since;
        std::getline(file, since);
        return Quarantine{gpu, since.empty() ? "an earlier case" : printable(since, 120)};
    }
    return std::nullopt;
}

void set_quarantine(const fs::path& session_folder, const Plan& plan, const Case& planned) {
    fs::create_directories(session_folder / "quarantine");
    for (const int gpu : planned.gpus) {
        write_file_atomically(file_of(session_folder, plan, gpu), planned.id + "\n");
    }
}

}  // namespace peerproof::supervise
