// Cards that answer, and a road between them that hangs: the core checks have said so, and what else goes
// that road would only hang again, a deadline each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "session/plan.hpp"

namespace peerproof::supervise {

// Why a figure, evidence or a collective of these cards is not worth its deadline: "core.read.gpu0_to_gpu1
// hung: what follows between these cards would hang as well". Nothing for every other case: each core check
// of each direction is asked.
std::optional<std::string> hung_between(const std::filesystem::path& session_folder, const Plan&,
                                        const Case&);

}  // namespace peerproof::supervise
