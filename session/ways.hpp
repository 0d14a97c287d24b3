// The ways in which software reaches a peer, by name.
//
//   ways_in("ipc,vmm")     // {"ipc", "vmm"}; none where a name is unknown or there twice
//
// The names and numbers are those of the claims of the family way; a program whose claims say otherwise does
// not list its bench (planned_ways.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peerproof {

struct WayName {
    std::string_view name;
    int number;
};
inline constexpr std::array<WayName, 7> all_ways{
    {{"ipc", 51}, {"vmm", 52}, {"pool", 53}, {"graph", 54}, {"atomics", 55}, {"order", 56}, {"widths", 57}}};

bool is_way(std::string_view name);
std::vector<std::string> names_of_ways();

// A list as a person writes it, with commas and no spaces. None where it is empty, or a name in it is unknown or
// there twice.
std::optional<std::vector<std::string>> ways_in(std::string_view list);

}  // namespace peerproof
