// The way to the driver's calls, and those of them that are not about memory.
#include <cuda.h>

#include "simulator/context.hpp"
#include "simulator/driver.hpp"

using namespace peerproof::simulated;

namespace {

CUresult driver_init(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (is_forked_child()) return CUDA_ERROR_NOT_INITIALIZED;
    return the_machine().devices().empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult driver_version(int* version) { return driver_result(cudaDriverGetVersion(version)); }
CUresult device_count(int* count) { return driver_result(cudaGetDeviceCount(count)); }

CUresult device_get(CUdevice* device, int ordinal) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

// Attributes have the same numbers in the runtime, which lacks some of them.
CUresult device_attribute(int* value, CUdevice_attribute which, CUdevice device) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
    const Gpu& gpu = the_machine().bench().gpus[gpu_of(device)];
    switch (which) {
        case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
            *value = gpu.vmm ? 1 : 0;
            return CUDA_SUCCESS;
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
            *value = gpu.vmm && gpu.fd_handles ? 1 : 0;
            return CUDA_SUCCESS;
        case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
        case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
            *value = 0;
            return CUDA_SUCCESS;
        default:
            return driver_result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(which), device));
    }
}

CUresult context_device(CUdevice* device) {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = context_error()) return driver_result(error);
    *device = current_device();
    return CUDA_SUCCESS;
}

CUresult error_name(CUresult error, const char** name) {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define PEERPROOF_DRIVER_ERROR(code) \
    case code:                       \
        *name = #code;               \
        return CUDA_SUCCESS;
#include "simulator/driver_errors.inc"
#undef PEERPROOF_DRIVER_ERROR
    }
    *name = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult error_string(CUresult error, const char** text) {
    if (const CUresult unknown = error_name(error, text)) return unknown;
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}

const DriverCall other_calls[] = {
    PEERPROOF_DRIVER_CALL_OF(cuInit, driver_init, 2000),
    PEERPROOF_DRIVER_CALL_OF(cuDriverGetVersion, driver_version, 2020),
    PEERPROOF_DRIVER_CALL_OF(cuDeviceGetCount, device_count, 2000),
    PEERPROOF_DRIVER_CALL_OF(cuDeviceGet, device_get, 2000),
    PEERPROOF_DRIVER_CALL_OF(cuDeviceGetAttribute, device_attribute, 2000),
    PEERPROOF_DRIVER_CALL_OF(cuCtxGetDevice, context_device, 2000),
    PEERPROOF_DRIVER_CALL_OF(cuGetErrorName, error_name, 6000),
    PEERPROOF_DRIVER_CALL_OF(cuGetErrorString, error_string, 6000),
};

const DriverCall* find_call(const char* name) {
    const DriverCall* found = find_call_in(other_calls, name);
    return found != nullptr ? found : find_memory_call(name);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
    if (name == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream ||
        version > CUDART_VERSION)
        return finish(cudaErrorInvalidValue);
    const DriverCall* call = find_call(name);
    const bool too_old = call != nullptr && version < call->since;
    *function = call == nullptr || too_old ? nullptr : call->function;
    if (status != nullptr)
        *status = call == nullptr ? cudaDriverEntryPointSymbolNotFound
                  : too_old       ? cudaDriverEntryPointVersionNotSufficent
                                  : cudaDriverEntryPointSuccess;
    return finish(cudaSuccess);
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, status);
}

}  // extern "C"
