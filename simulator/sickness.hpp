// GPUs that do not recover: one file a GPU in PEERPROOF_SIMULATED_STATE says that it hung in this session.
#pragma once

#include <string>

#include "simulator/bench.hpp"

namespace peerproof::simulated {

// At the start of a process: what earlier ones have left becomes part of the bench.
void fall_sick_again(Bench&, const std::string& state);

// A kernel of this GPU does not come to its end.
void remember_sickness(const Bench&, int gpu, const std::string& state);

}  // namespace peerproof::simulated
