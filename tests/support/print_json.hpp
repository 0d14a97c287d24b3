// How GoogleTest prints JSON: as its text. Without it every test file compiles GoogleTest's way to print a
// container, and that of what is in it, which is a third of what such a file costs. Part of what is
// precompiled: no test needs to include it.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace nlohmann {

void PrintTo(const json& value, std::ostream* out);

}  // namespace nlohmann
