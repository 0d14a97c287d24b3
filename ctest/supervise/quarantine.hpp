// GPUs that nothing more can be asked of in this session: a process that could not be killed still holds
// them, or they did not answer after a case that hung. <session folder>/quarantine/<uuid> says since when. A
// later case on such a GPU would only hang as well, or judge a GPU in an unknown state, so it is not
// started.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "session/plan.hpp"

namespace peerproof::supervise {

// "has not answered since core.read.gpu0_to_gpu1 hung"; nothing where the GPU may be used.
std::optional<std::string> quarantine_of(const std::filesystem::path& session_folder, const Plan&, int gpu);

// Of the first GPU of the case that is in quarantine, with its name: "gpu1 has not answered since ...".
std::optional<std::string> find_quarantine(const std::filesystem::path& session_folder, const Plan&,
                                           const Case&);

// What was said first stays. Throws std::system_error with the path and the reason.
void set_quarantine(const std::filesystem::path& session_folder, const Plan&, int gpu,
                    const std::string& why);

// The GPU's UUID, as the name of a file.
std::string gpu_file_name(const Plan&, int gpu);

}  // namespace peerproof::supervise
