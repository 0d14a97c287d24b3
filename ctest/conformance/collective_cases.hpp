// The cases of the collective. They belong to a program of its own, bin/collective, since NCCL is large to
// load and may not be there; it is asked for them.
#pragma once

#include "session/baseline.hpp"
#include "session/plan.hpp"
#include "session/settings.hpp"

namespace peerproof {

// Adds them to the plan, each after the core checks of its GPUs, or says in plan.not_run["collective"] why
// there are none: not asked for, not built, NCCL not found, one GPU. The version of NCCL becomes part of the
// environment.
void add_collective_cases(Plan& plan, AcceptedIfLocked& if_locked, const Settings& settings);

}  // namespace peerproof
