// The three names that are nearest to a misspelt one, nearest first: what ctest/nearest.awk says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace peerproof {

std::vector<std::string> nearest(std::string_view wanted, std::vector<std::string> names);

}  // namespace peerproof
