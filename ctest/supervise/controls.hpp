// The controls of the GPUs of a case: they must have held in this session before the case may say
// anything. ctest sees to that by its fixtures, which `-FS controls` strips; this does not depend on how ctest
// was called.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "session/plan.hpp"

namespace peerproof::supervise {

// What is missing, "control.fault.gpu0 did not hold in this session: delivered"; nothing where the controls are
// whole, or where the case is a control itself.
std::optional<std::string> controls_gap(const std::filesystem::path& session_folder, const Plan&,
                                        const Case&);

}  // namespace peerproof::supervise
