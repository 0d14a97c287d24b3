// The JSON formats of the project, each with the versions that are read; the newest is written.
//
//   plan_schema.name()              // "peerproof.plan/4"
//   plan_schema.version_of(root)    // 3 of {"schema": "peerproof.plan/3", ...}
#pragma once

#include <optional>
#include <string>

#include "session/json.hpp"

namespace peerproof {

struct Schema {
    const char* kind;
    int oldest, newest;

    std::string name() const;
    // None where the document is of another kind, or of a version that is not read.
    std::optional<int> version_of(const Member& root) const;
};

inline constexpr Schema plan_schema{"peerproof.plan", 2, 4};
inline constexpr Schema record_schema{"peerproof.record", 2, 4};
inline constexpr Schema report_schema{"peerproof.report", 1, 3};

}  // namespace peerproof
