// What other calls need of memory pools (api_pool.cpp).
#pragma once

#include <cuda_runtime_api.h>

namespace peerproof::simulated {

// cudaFree of memory that is mapped: invalid where it is not of a pool.
cudaError_t free_of_pool(void* pointer);

// Gives back what cudaFreeAsync freed and whose stream has come so far.
void collect_freed();

}  // namespace peerproof::simulated
