// Which GPUs nobody else may use while a case runs. CTest is told so (ctest/registration.cpp), and the time of a
// session is estimated by it (session/schedule.hpp).
//
//   held_gpus(plan, core_read_0_1) == {0, 1}: checks of other GPUs run beside it
//
// A measurement is held to what its links can carry, so nothing else may move bytes over them meanwhile. It
// holds its own GPUs alone where the links say that nobody else can be on its path: NVLink between the two. On
// PCI Express it holds every GPU that has a bridge in common with the two on the way up, all the way to the
// root, since ACS may send accesses up there. It holds all GPUs where its bytes go through the root complex or
// host memory, as copies may that the driver stages, and wherever the links do not say: then it runs alone.
#pragma once

#include <vector>

#include "session/plan.hpp"

namespace peerproof {

std::vector<int> held_gpus(const Plan& plan, const Case& one);

// Of ctest's jobs, each a processor: what is timed must not wait for a processor that another case has.
int held_processors(const Case& one);

}  // namespace peerproof
