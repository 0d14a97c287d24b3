// The bare program that the cost of a control case is measured against: it makes a context, runs one kernel,
// ends.
#include <cuda_runtime_api.h>

#include <cstdint>

__global__ void one(std::uint64_t* word) { *word = 1; }

int main() {
    void* word = nullptr;
    if (cudaMalloc(&word, sizeof(std::uint64_t)) != cudaSuccess) return 1;
    one<<<1, 1>>>(static_cast<std::uint64_t*>(word));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
