// The calls of the driver that the simulated bench has. The runtime gives their addresses; there is no libcuda.
#pragma once

#include <cuda.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

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
// Its row in a table; the type of the function is that of cuda.h.
#define PEERPROOF_DRIVER_CALL_OF(name, function, since) \
    { #name, driver_address(static_cast <decltype(&::name)>(function)), since }
// Null where the table has no such call.
template <std::size_t count>
const DriverCall* find_call_in(const DriverCall (&table)[count], std::string_view name) {
    const auto* found =
        std::find_if(table, table + count, [&](const DriverCall& each) { return each.name == name; });
    return found == table + count ? nullptr : found;
}
// Errors have the same numbers in the runtime.
inline CUresult driver_result(int error) { return static_cast<CUresult>(error); }

const DriverCall* find_memory_call(const char* name);  // driver_memory.cpp

}  // namespace peerproof::simulated
