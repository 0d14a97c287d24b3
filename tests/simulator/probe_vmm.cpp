// Steps of the probe: virtual memory management, by the driver's calls.
#include <cuda.h>

#include <cstdio>

#include "tests/simulator/probe.hpp"

namespace peerproof::probe {
namespace {

std::map<std::string, CUmemGenericAllocationHandle> handles;

// The driver's function; the probe ends where there is none.
template <class Function>
Function* driver(const char* name) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
    cudaGetDriverEntryPointByVersion(name, &found, 13000, cudaEnableDefault, &status);
    if (found == nullptr) {
        std::fprintf(stderr, "probe: the driver has no %s\n", name);
        std::exit(64);
    }
    return reinterpret_cast<Function*>(found);
}
#define DRIVER(name) driver<decltype(::name)>(#name)

CUmemAllocationProp properties_for(int device, bool shareable) {
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    if (shareable) wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return wanted;
}

CUdeviceptr address(const Words& words, std::size_t i, std::size_t offset) {
    return reinterpret_cast<CUdeviceptr>(at(pointer(words, i), number(words, offset)));
}

}  // namespace

Steps vmm_steps() {
    return {
        {"driver",  // NAME [VERSION]: status, and whether there is a function
         [](const Words& w) {
             void* found = nullptr;
             cudaDriverEntryPointQueryResult status{};
             const cudaError_t error = cudaGetDriverEntryPointByVersion(
                 w.at(1).c_str(), &found, static_cast<unsigned>(number(w, 2, 13000)), cudaEnableDefault,
                 &status);
             return with(error, std::to_string(status) + (found == nullptr ? " none" : " found"));
         }},
        {"driver_attribute",  // ATTRIBUTE DEVICE
         [](const Words& w) {
             int value = -1;
             const CUresult error = DRIVER(cuDeviceGetAttribute)(
                 &value, static_cast<CUdevice_attribute>(integer(w, 1)), integer(w, 2));
             return with(error, std::to_string(value));
         }},
        {"driver_error",
         [](const Words& w) {
             const char *name = nullptr, *text = nullptr;
             const auto code = static_cast<CUresult>(integer(w, 1));
             const CUresult error = DRIVER(cuGetErrorName)(code, &name);
             DRIVER(cuGetErrorString)(code, &text);
             return with(error,
                         std::string(name == nullptr ? "" : name) + ": " + (text == nullptr ? "" : text));
         }},
        {"vmm_granularity",  // DEVICE
         [](const Words& w) {
             std::size_t bytes = 0;
             const CUmemAllocationProp wanted = properties_for(integer(w, 1), false);
             const CUresult error =
                 DRIVER(cuMemGetAllocationGranularity)(&bytes, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
             return with(error, std::to_string(bytes));
         }},
        {"vmm_create",  // HANDLE DEVICE BYTES [fd]
         [](const Words& w) {
             const CUmemAllocationProp wanted = properties_for(integer(w, 2), w.size() > 4);
             return std::to_string(DRIVER(cuMemCreate)(&handles[w.at(1)], number(w, 3), &wanted, 0));
         }},
        {"vmm_release",
         [](const Words& w) { return std::to_string(DRIVER(cuMemRelease)(handles[w.at(1)])); }},
        {"vmm_retain",  // HANDLE NAME
         [](const Words& w) {
             return std::to_string(
                 DRIVER(cuMemRetainAllocationHandle)(&handles[w.at(1)], pointer(w, 2).address));
         }},
        {"vmm_reserve",  // NAME BYTES [ALIGNMENT]
         [](const Words& w) {
             Pointer& memory = pointer(w, 1);
             memory.bytes = number(w, 2);
             CUdeviceptr at = 0;
             const CUresult error = DRIVER(cuMemAddressReserve)(&at, memory.bytes, number(w, 3), 0, 0);
             memory.address = reinterpret_cast<void*>(at);
             return with(error, number(w, 3) == 0 || at % number(w, 3) == 0 ? "aligned" : "not aligned");
         }},
        {"vmm_unreserve",  // NAME BYTES
         [](const Words& w) {
             return std::to_string(DRIVER(cuMemAddressFree)(address(w, 1, 9), number(w, 2)));
         }},
        {"vmm_map",  // NAME OFFSET BYTES HANDLE [OFFSET IN THE MEMORY]
         [](const Words& w) {
             return std::to_string(
                 DRIVER(cuMemMap)(address(w, 1, 2), number(w, 3), number(w, 5), handles[w.at(4)], 0));
         }},
        {"vmm_unmap",  // NAME OFFSET BYTES
         [](const Words& w) { return std::to_string(DRIVER(cuMemUnmap)(address(w, 1, 2), number(w, 3))); }},
        {"vmm_access",  // NAME OFFSET BYTES DEVICE FLAGS
         [](const Words& w) {
             const CUmemAccessDesc wanted{{CU_MEM_LOCATION_TYPE_DEVICE, integer(w, 4)},
                                          static_cast<CUmemAccess_flags>(integer(w, 5))};
             return std::to_string(DRIVER(cuMemSetAccess)(address(w, 1, 2), number(w, 3), &wanted, 1));
         }},
        {"vmm_get_access",  // NAME DEVICE
         [](const Words& w) {
             unsigned long long flags = 99;
             const CUmemLocation where{CU_MEM_LOCATION_TYPE_DEVICE, integer(w, 2)};
             const CUresult error = DRIVER(cuMemGetAccess)(&flags, &where, address(w, 1, 9));
             return with(error, std::to_string(flags));
         }},
        {"vmm_export",  // HANDLE: the number of the descriptor
         [](const Words& w) {
             int descriptor = -1;
             const CUresult error = DRIVER(cuMemExportToShareableHandle)(
                 &descriptor, handles[w.at(1)], CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
             return with(error, std::to_string(descriptor));
         }},
        {"vmm_import",  // HANDLE FILE
         [](const Words& w) {
             const std::intptr_t descriptor = descriptor_at(w.at(2));
             return std::to_string(DRIVER(cuMemImportFromShareableHandle)(
                 &handles[w.at(1)], reinterpret_cast<void*>(descriptor),
                 CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
         }},
        {"vmm_properties",  // HANDLE: device, handle types
         [](const Words& w) {
             CUmemAllocationProp found{};
             const CUresult error = DRIVER(cuMemGetAllocationPropertiesFromHandle)(&found, handles[w.at(1)]);
             return with(error, std::to_string(found.location.id) + ' ' +
                                    std::to_string(static_cast<int>(found.requestedHandleTypes)));
         }},
    };
}

}  // namespace peerproof::probe
