// GPUs that answer, and a path between them that hangs: the core checks have said so, and what else goes
// that path would only hang again, a deadline each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "session/plan.hpp"

namespace peerproof::supervise {

// Why a measurement, evidence or a collective of these GPUs is not worth its deadline: "core.read.gpu0_to_gpu1
// hung: what follows between these GPUs would hang as well". Nothing for every other case: each core check
// of each direction is asked.
std::optional<std::string> hung_between(const std::filesystem::path& session_folder, const Plan&,
                                        const Case&);

}  // namespace peerproof::supervise
