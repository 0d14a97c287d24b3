// The calls of the driver that the simulated bench has. The runtime gives their addresses; there is no libcuda.
#pragma once

#include <cuda.h>

namespace peerproof::simulated {

// The function of that name, and the CUDA version that brought it. Null: there is no such here.
struct DriverCall {
    const char* name;
    void* function;
    unsigned since;
};
template <class Function>
void* driver_address(Function function) {
    return reinterpret_cast<void*>(function);
}
// Errors have the same numbers in the runtime.
inline CUresult driver_result(int error) { return static_cast<CUresult>(error); }

const DriverCall* find_memory_call(const char* name);  // driver_memory.cpp

}  // namespace peerproof::simulated
