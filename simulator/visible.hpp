#pragma once

#include <vector>

#include "simulator/bench.hpp"

namespace peerproof::simulated {

// What CUDA_VISIBLE_DEVICES (null where it is not set) leaves of the GPUs, in its order: indices into
// `gpus`, or "GPU-" with a UUID or the unique beginning of one. The list ends at the first entry that is not
// valid, and a GPU that is named twice leaves none.
std::vector<int> visible_gpus(const Bench&, const std::vector<int>& gpus, const char* list);

}  // namespace peerproof::simulated
