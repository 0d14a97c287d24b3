// Cards that a process which could not be killed still holds: <session folder>/quarantine/<uuid> names its
// case. A later case on such a card would only hang as well, or judge a card in an unknown state.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "session/plan.hpp"

namespace peerproof::supervise {

struct Quarantine {
    int gpu = 0;        // plan index
    std::string since;  // id of the case that could not be killed
};

std::optional<Quarantine> find_quarantine(const std::filesystem::path& session_folder, const Plan&,
                                          const Case&);

// Throws std::system_error with the path and the reason.
void set_quarantine(const std::filesystem::path& session_folder, const Plan&, const Case&);

}  // namespace peerproof::supervise
