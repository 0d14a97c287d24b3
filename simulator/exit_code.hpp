#pragma once

namespace peerproof::simulated {

// Of a process whose bench file is not valid, or that cannot have a bench; as session/exit_code.hpp has it.
inline constexpr int exit_usage = 64;

}  // namespace peerproof::simulated
