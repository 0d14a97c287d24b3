#pragma once

#include <vector>

#include "simulator/bench.hpp"

namespace peerproof::simulated {

// What CUDA_VISIBLE_DEVICES (null where it is not set) leaves of the cards, in its order: indices into
// `cards`, or "GPU-" with a UUID or the unique beginning of one. The list ends at the first entry that is not
// valid, and a card that is named twice leaves none.
std::vector<int> visible_cards(const Bench&, const std::vector<int>& cards, const char* list);

}  // namespace peerproof::simulated
