// Steps of the probe: memory pools.
#include "tests/simulator/probe.hpp"

namespace peerproof::probe {
namespace {

std::map<std::string, cudaMemPool_t> pools;

}  // namespace

Steps pool_steps() {
    static std::string own_data;
    return {
        {"pool_create",  // POOL DEVICE [fd]
         [](const Words& w) {
             cudaMemPoolProps wanted{};
             wanted.allocType = cudaMemAllocationTypePinned;
             wanted.location = {cudaMemLocationTypeDevice, integer(w, 2)};
             if (w.size() > 3) wanted.handleTypes = cudaMemHandleTypePosixFileDescriptor;
             return std::to_string(cudaMemPoolCreate(&pools[w.at(1)], &wanted));
         }},
        {"pool_default",  // POOL DEVICE
         [](const Words& w) {
             return std::to_string(cudaDeviceGetDefaultMemPool(&pools[w.at(1)], integer(w, 2)));
         }},
        {"pool_of",  // DEVICE POOL: whether that is the device's pool
         [](const Words& w) {
             cudaMemPool_t found = nullptr;
             const cudaError_t error = cudaDeviceGetMemPool(&found, integer(w, 1));
             return with(error, found == pools[w.at(2)] ? "yes" : "no");
         }},
        {"pool_use",  // DEVICE POOL
         [](const Words& w) { return std::to_string(cudaDeviceSetMemPool(integer(w, 1), pools[w.at(2)])); }},
        {"pool_destroy", [](const Words& w) { return std::to_string(cudaMemPoolDestroy(pools[w.at(1)])); }},
        {"pool_access",  // POOL DEVICE FLAGS
         [](const Words& w) {
             const cudaMemAccessDesc wanted{{cudaMemLocationTypeDevice, integer(w, 2)},
                                            static_cast<cudaMemAccessFlags>(integer(w, 3))};
             return std::to_string(cudaMemPoolSetAccess(pools[w.at(1)], &wanted, 1));
         }},
        {"pool_get_access",  // POOL DEVICE
         [](const Words& w) {
             cudaMemAccessFlags flags{};
             cudaMemLocation where{cudaMemLocationTypeDevice, integer(w, 2)};
             const cudaError_t error = cudaMemPoolGetAccess(&flags, pools[w.at(1)], &where);
             return with(error, std::to_string(flags));
         }},
        {"pool_attribute",  // POOL ATTRIBUTE [NEW VALUE]
         [](const Words& w) {
             std::uint64_t value = number(w, 3);
             const auto which = static_cast<cudaMemPoolAttr>(integer(w, 2));
             if (w.size() > 3) return std::to_string(cudaMemPoolSetAttribute(pools[w.at(1)], which, &value));
             const cudaError_t error = cudaMemPoolGetAttribute(pools[w.at(1)], which, &value);
             return with(error, std::to_string(value));
         }},
        {"pool_trim", [](const Words& w) { return std::to_string(cudaMemPoolTrimTo(pools[w.at(1)], 0)); }},
        {"pool_malloc",  // NAME BYTES [POOL]
         [](const Words& w) {
             Pointer& memory = pointer(w, 1);
             memory.bytes = number(w, 2);
             return std::to_string(w.size() > 3 ? cudaMallocFromPoolAsync(&memory.address, memory.bytes,
                                                                          pools[w.at(3)], nullptr)
                                                : cudaMallocAsync(&memory.address, memory.bytes, nullptr));
         }},
        {"pool_free",
         [](const Words& w) { return std::to_string(cudaFreeAsync(pointer(w, 1).address, nullptr)); }},
        {"pool_export",  // POOL: the number of the descriptor
         [](const Words& w) {
             int descriptor = -1;
             const cudaError_t error = cudaMemPoolExportToShareableHandle(
                 &descriptor, pools[w.at(1)], cudaMemHandleTypePosixFileDescriptor, 0);
             return with(error, std::to_string(descriptor));
         }},
        {"pool_import",  // POOL FILE
         [](const Words& w) {
             const std::intptr_t descriptor = descriptor_at(w.at(2));
             return std::to_string(
                 cudaMemPoolImportFromShareableHandle(&pools[w.at(1)], reinterpret_cast<void*>(descriptor),
                                                      cudaMemHandleTypePosixFileDescriptor, 0));
         }},
        {"pool_export_pointer",
         [](const Words& w) {
             cudaMemPoolPtrExportData data{};
             const cudaError_t error = cudaMemPoolExportPointer(&data, pointer(w, 1).address);
             own_data = hex_of(&data, sizeof data);
             return with(error, own_data);
         }},
        {"pool_import_pointer",  // NAME POOL DATA BYTES; `own` for the data that was exported last
         [](const Words& w) {
             cudaMemPoolPtrExportData data{};
             bytes_of(w.at(3) == "own" ? own_data : w.at(3), &data, sizeof data);
             Pointer& memory = pointer(w, 1);
             memory.bytes = number(w, 4);
             return std::to_string(cudaMemPoolImportPointer(&memory.address, pools[w.at(2)], &data));
         }},
    };
}

}  // namespace peerproof::probe
