// bench.open: makes the session folder, checks that the bench is the one that was listed and as large as was
// asked for, writes the plan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "session/plan.hpp"

namespace peerproof {

// 0, or 75 with the reason on stderr.
int open_session(const Plan& plan, const std::filesystem::path& folder,
                 const std::vector<std::string>& listed);

}  // namespace peerproof
