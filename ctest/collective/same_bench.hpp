// A simulated CUDA runtime and a real NCCL, or the reverse, would say something of neither bench.
#pragma once

namespace peerproof {

// Throws std::runtime_error with both files where one is simulated and the other is not.
void need_same_bench();

}  // namespace peerproof
