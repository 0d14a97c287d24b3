// OUT/latest: the name under which the last session is found.
#pragma once

#include <filesystem>

namespace peerproof {

// Points OUT/latest at this session folder, in one step, so that a reader finds the old one or the new one.
// Throws std::filesystem::filesystem_error.
void point_latest_at(const std::filesystem::path& session_folder);

}  // namespace peerproof
