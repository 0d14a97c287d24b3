// Devices: which there are, what they are, and which is current.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "simulator/capture.hpp"

using namespace peerproof::simulated;

namespace {

cudaError_t attribute(const Gpu& gpu, int index, cudaDeviceAttr which, int& value) {
    switch (which) {
        case cudaDevAttrComputeCapabilityMajor:
            value = gpu.major;
            break;
        case cudaDevAttrComputeCapabilityMinor:
            value = gpu.minor;
            break;
        case cudaDevAttrMultiProcessorCount:
            value = gpu.multiprocessors;
            break;
        case cudaDevAttrPciDomainId:
            value = gpu.domain;
            break;
        case cudaDevAttrPciBusId:
            value = gpu.bus;
            break;
        case cudaDevAttrPciDeviceId:
            value = gpu.device;
            break;
        case cudaDevAttrMaxThreadsPerBlock:
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            value = 1024;
            break;
        case cudaDevAttrMaxBlockDimZ:
            value = 64;
            break;
        case cudaDevAttrMaxGridDimX:
            value = 2147483647;
            break;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            value = 65535;
            break;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            value = 2048;
            break;
        case cudaDevAttrWarpSize:
            value = 32;
            break;
        case cudaDevAttrClockRate:
            value = 1980000;
            break;
        case cudaDevAttrMemoryClockRate:
            value = 3201000;
            break;
        case cudaDevAttrGlobalMemoryBusWidth:
            value = 6144;
            break;
        case cudaDevAttrL2CacheSize:
            value = 60 << 20;
            break;
        case cudaDevAttrAsyncEngineCount:
            value = 3;
            break;
        case cudaDevAttrMultiGpuBoardGroupID:
            value = index;
            break;
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrEccEnabled:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrCanUseHostPointerForRegisteredMem:
        case cudaDevAttrIpcEventSupport:
            value = 1;
            break;
        case cudaDevAttrMemoryPoolsSupported:
            value = gpu.memory_pools ? 1 : 0;
            break;
        case cudaDevAttrMemoryPoolSupportedHandleTypes:
            value = gpu.memory_pools && gpu.fd_handles ? cudaMemHandleTypePosixFileDescriptor : 0;
            break;
        // No on purpose: what the bench does not have, it does not claim.
        case cudaDevAttrIntegrated:
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrComputeMode:
        case cudaDevAttrTccDriver:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrDirectManagedMemAccessFromHost:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGPUDirectRDMASupported:
        case cudaDevAttrMpsEnabled:
            value = 0;
            break;
        default:
            die("cudaDeviceGetAttribute(" + std::to_string(which) +
                ") is not modelled; add it in simulator/");
    }
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    if (count == nullptr) return finish(cudaErrorInvalidValue);
    if (is_forked_child()) return finish(cudaErrorInitializationError);
    *count = static_cast<int>(the_machine().devices().size());
    return finish(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (properties == nullptr) return finish(cudaErrorInvalidValue);
    if (the_machine().devices().empty()) return finish(cudaErrorNoDevice);
    if (!is_device(device)) return finish(cudaErrorInvalidDevice);
    const Gpu& gpu = the_machine().bench().gpus[gpu_of(device)];
    cudaDeviceProp& into = *properties;
    std::memset(properties, 0, sizeof *properties);
    std::snprintf(into.name, sizeof into.name, "%s", gpu.name);
    std::memcpy(into.uuid.bytes, gpu.uuid, sizeof gpu.uuid);
    into.totalGlobalMem = gpu.memory;
    into.major = gpu.major;
    into.minor = gpu.minor;
    into.multiProcessorCount = gpu.multiprocessors;
    into.pciDomainID = gpu.domain;
    into.pciBusID = gpu.bus;
    into.pciDeviceID = gpu.device;
    into.warpSize = 32;
    into.maxThreadsPerBlock = 1024;
    into.maxThreadsDim[0] = into.maxThreadsDim[1] = 1024;
    into.maxThreadsDim[2] = 64;
    into.maxGridSize[0] = 2147483647;
    into.maxGridSize[1] = into.maxGridSize[2] = 65535;
    into.maxThreadsPerMultiProcessor = 2048;
    into.sharedMemPerBlock = 48 << 10;
    into.regsPerBlock = 65536;
    into.totalConstMem = 64 << 10;
    into.l2CacheSize = 60 << 20;
    into.memoryBusWidth = 6144;
    into.asyncEngineCount = 3;
    into.unifiedAddressing = into.canMapHostMemory = into.concurrentKernels = into.ECCEnabled = 1;
    return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    if (value == nullptr) return finish(cudaErrorInvalidValue);
    if (the_machine().devices().empty()) return finish(cudaErrorNoDevice);
    if (!is_device(device)) return finish(cudaErrorInvalidDevice);
    const int gpu = gpu_of(device);
    return finish(attribute(the_machine().bench().gpus[gpu], gpu, which, *value));
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    if (text == nullptr || length < 1) return finish(cudaErrorInvalidValue);
    if (the_machine().devices().empty()) return finish(cudaErrorNoDevice);
    if (!is_device(device)) return finish(cudaErrorInvalidDevice);
    const Gpu& gpu = the_machine().bench().gpus[gpu_of(device)];
    std::snprintf(text, static_cast<std::size_t>(length), "%04X:%02X:%02X.0", gpu.domain, gpu.bus,
                  gpu.device);
    return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    if (device == nullptr || text == nullptr) return finish(cudaErrorInvalidValue);
    unsigned domain = 0, bus = 0, slot = 0;
    if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) {
        domain = 0;
        if (std::sscanf(text, "%x:%x", &bus, &slot) != 2) return finish(cudaErrorInvalidValue);
    }
    for (std::size_t i = 0; i < the_machine().devices().size(); ++i) {
        const Gpu& gpu = the_machine().bench().gpus[gpu_of(static_cast<int>(i))];
        if (gpu.domain != static_cast<int>(domain) || gpu.bus != static_cast<int>(bus) ||
            gpu.device != static_cast<int>(slot))
            continue;
        *device = static_cast<int>(i);
        return finish(cudaSuccess);
    }
    return finish(cudaErrorInvalidDevice);
}

cudaError_t cudaSetDevice(int device) {
    if (is_forked_child()) return finish(cudaErrorInitializationError);
    if (the_machine().devices().empty()) return finish(cudaErrorNoDevice);
    if (devices_are_gone()) return finish(cudaErrorDevicesUnavailable);
    if (!is_device(device)) return finish(cudaErrorInvalidDevice);
    set_current_device(device);
    return finish(context_error());
}

cudaError_t cudaGetDevice(int* device) {
    if (device == nullptr) return finish(cudaErrorInvalidValue);
    if (the_machine().devices().empty()) return finish(cudaErrorNoDevice);
    *device = current_device();
    return finish(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void) {
    if (const cudaError_t error = context_error()) return finish(error);
    if (const cudaError_t error = refused_by_capture_on(current_gpu())) return finish(error);
    Machine& machine = the_machine();
    machine.wait(current_gpu(), machine.posted(current_gpu()));
    return finish(notice_faults());
}

cudaError_t cudaDeviceReset(void) {
    if (is_forked_child()) return finish(cudaErrorInitializationError);
    Machine& machine = the_machine();
    if (machine.devices().empty()) return finish(cudaErrorNoDevice);
    if (devices_are_gone()) return cudaSuccess;
    const cudaError_t error = notice_faults();
    if (error != cudaSuccess && error == static_cast<cudaError_t>(machine.fault())) {
        give_up_devices();
        return cudaSuccess;
    }
    if (error != cudaSuccess) return finish(error);
    const int gpu = current_gpu();
    machine.wait(gpu, machine.posted(gpu));
    if (notice_faults() != cudaSuccess) {
        give_up_devices();
        return cudaSuccess;
    }
    for (int owner = 0; owner < machine.bench().count; ++owner) machine.control().enabled_at[gpu][owner] = 0;
    machine.release_all_plain(gpu);
    machine.forget_pages();
    return finish(cudaSuccess);
}

}  // extern "C"
