// Runs what GoogleTest selected, and is never green by accident: an argument that nobody knows is a usage
// error, and a run in which no test, or not every selected test, ran has run nothing.
#pragma once

#include <string>
#include <vector>

namespace peerproof {

// Hands the arguments that are left to GoogleTest. False, with a message, where one is unknown to it too.
bool init_gtest(const std::vector<std::string>& for_gtest);

int run_selected();

}  // namespace peerproof
