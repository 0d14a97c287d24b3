// Virtual memory management: cuMem*. As strict as the driver: whole pages, whole mappings, and no access before
// it was given, not even to the owner.
//
// Memory that was exported stays allocated until the process ends, because another may have it.
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "simulator/context.hpp"
#include "simulator/driver.hpp"
#include "simulator/handles.hpp"
#include "simulator/mappings.hpp"
#include "simulator/peer_access.hpp"
#include "simulator/ways.hpp"

namespace peerproof::simulated {
namespace {

struct Physical {
    Backing backing;
    std::uint64_t bytes;
    CUmemAllocationHandleType types;
    int handles = 1, mappings = 0;
    bool exported = false;
};
std::mutex vmm_mutex;  // of what follows
std::map<CUmemGenericAllocationHandle, Physical> physicals;
std::map<std::uint64_t, CUmemGenericAllocationHandle> mapped_from;  // by address
CUmemGenericAllocationHandle last_handle = 0;

constexpr CUmemAllocationHandleType descriptors = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

bool is_whole(std::uint64_t value) { return value % page_bytes == 0; }

// What every call answers before it does anything: a fault, and 801 where the GPU cannot do it.
CUresult vmm_ready(int owner = -1) {
    if (const cudaError_t error = notice_faults()) return driver_result(error);
    const bool vmm = the_machine().bench().gpus[owner == -1 ? current_gpu() : owner].vmm;
    return vmm ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

// And what the bench refuses of memory of that GPU, -1 for none in particular.
CUresult before(const char* call, int owner = -1) {
    if (const CUresult error = vmm_ready(owner)) return error;
    return driver_result(refusal(the_machine().bench(), call, -1, owner));
}

Physical* find_physical(CUmemGenericAllocationHandle handle) {
    const auto found = physicals.find(handle);
    return found == physicals.end() || found->second.handles == 0 ? nullptr : &found->second;
}

void free_if_unused(CUmemGenericAllocationHandle handle) {
    const auto found = physicals.find(handle);
    const Physical& one = found->second;
    if (one.handles > 0 || one.mappings > 0) return;
    if (one.backing.file == 0 && !one.exported) the_machine().release(one.backing.gpu, one.backing.offset);
    physicals.erase(found);
}

// Of memory of a GPU in sight; anything else is not modelled, or is wrong.
CUresult check_properties(const CUmemAllocationProp* wanted) {
    if (wanted == nullptr || wanted->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    return is_device(wanted->location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult mem_granularity(std::size_t* bytes, const CUmemAllocationProp* wanted,
                         CUmemAllocationGranularity_flags option) {
    if (bytes == nullptr || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = check_properties(wanted)) return error;
    if (const CUresult error = before("cuMemGetAllocationGranularity", gpu_of(wanted->location.id)))
        return error;
    *bytes = page_bytes;
    return CUDA_SUCCESS;
}

CUresult mem_create(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                    const CUmemAllocationProp* wanted, unsigned long long flags) {
    if (handle == nullptr || flags != 0 || bytes == 0 || !is_whole(bytes)) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = check_properties(wanted)) return error;
    const int gpu = gpu_of(wanted->location.id);
    if (const CUresult error = before("cuMemCreate", gpu)) return error;
    const CUmemAllocationHandleType types = wanted->requestedHandleTypes;
    if (types != CU_MEM_HANDLE_TYPE_NONE &&
        (types != descriptors || !the_machine().bench().gpus[gpu].fd_handles))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (const int error = the_machine().bench().gpus[gpu].malloc_error) return driver_result(error);
    const auto offset = the_machine().allocate(gpu, bytes, Machine::Kind::mapped);
    if (!offset) return CUDA_ERROR_OUT_OF_MEMORY;
    const std::lock_guard lock(vmm_mutex);
    *handle = ++last_handle;
    physicals.emplace(*handle, Physical{{gpu, *offset}, bytes, types});
    return CUDA_SUCCESS;
}

CUresult mem_release(CUmemGenericAllocationHandle handle) {
    if (const CUresult error = before("cuMemRelease")) return error;
    const std::lock_guard lock(vmm_mutex);
    Physical* one = find_physical(handle);
    if (one == nullptr) return CUDA_ERROR_INVALID_VALUE;
    --one->handles;
    free_if_unused(handle);
    return CUDA_SUCCESS;
}

CUresult mem_retain(CUmemGenericAllocationHandle* handle, void* address) {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemRetainAllocationHandle")) return error;
    const Mapping* mapping = the_mappings().find(reinterpret_cast<std::uint64_t>(address));
    const std::lock_guard lock(vmm_mutex);
    const auto found = mapping == nullptr ? mapped_from.end() : mapped_from.find(mapping->at);
    if (found == mapped_from.end()) return CUDA_ERROR_INVALID_VALUE;
    *handle = found->second;
    ++physicals.at(*handle).handles;
    return CUDA_SUCCESS;
}

CUresult mem_reserve(CUdeviceptr* pointer, std::size_t bytes, std::size_t alignment, CUdeviceptr,
                     unsigned long long flags) {
    if (pointer == nullptr || flags != 0 || bytes == 0 || !is_whole(bytes) ||
        (alignment & (alignment - 1)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemAddressReserve")) return error;
    const auto at = the_mappings().reserve(bytes, alignment < page_bytes ? page_bytes : alignment);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    *pointer = *at;
    return CUDA_SUCCESS;
}

CUresult mem_unreserve(CUdeviceptr pointer, std::size_t bytes) {
    if (const CUresult error = before("cuMemAddressFree")) return error;
    return the_mappings().unreserve(pointer, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult mem_map(CUdeviceptr pointer, std::size_t bytes, std::size_t offset,
                 CUmemGenericAllocationHandle handle, unsigned long long flags) {
    if (offset != 0 || flags != 0 || bytes == 0 || !is_whole(bytes) || !is_whole(pointer))
        return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(vmm_mutex);
    Physical* one = find_physical(handle);
    if (one == nullptr || bytes > one->bytes) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemMap", one->backing.gpu)) return error;
    if (!the_mappings().map(pointer, bytes, one->backing, Way::vmm)) return CUDA_ERROR_INVALID_VALUE;
    ++one->mappings;
    mapped_from.emplace(pointer, handle);
    return CUDA_SUCCESS;
}

// The mappings that make up the range; none where one of them is not of these calls.
std::vector<Mapping*> mappings_in(CUdeviceptr pointer, std::size_t bytes) {
    std::vector<Mapping*> all = the_mappings().exactly(pointer, bytes);
    for (const Mapping* each : all) {
        if (each->way != Way::vmm) return {};
    }
    return all;
}

CUresult mem_unmap(CUdeviceptr pointer, std::size_t bytes) {
    if (const CUresult error = before("cuMemUnmap")) return error;
    the_machine().wait_all();
    const std::lock_guard lock(vmm_mutex);
    const std::vector<Mapping*> all = mappings_in(pointer, bytes);
    if (all.empty()) return CUDA_ERROR_INVALID_VALUE;
    for (Mapping* each : all) {
        const auto found = mapped_from.find(each->at);
        the_mappings().unmap(*each);
        --physicals.at(found->second).mappings;
        free_if_unused(found->second);
        mapped_from.erase(found);
    }
    return CUDA_SUCCESS;
}

CUresult mem_set_access(CUdeviceptr pointer, std::size_t bytes, const CUmemAccessDesc* wanted,
                        std::size_t count) {
    if (wanted == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = vmm_ready()) return error;
    const std::vector<Mapping*> all = mappings_in(pointer, bytes);
    if (all.empty()) return CUDA_ERROR_INVALID_VALUE;
    const auto asked = [&](std::size_t i) {
        return AccessWanted{wanted[i].location.type, wanted[i].location.id, wanted[i].flags};
    };
    for (const Mapping* each : all) {
        for (std::size_t i = 0; i < count; ++i) {
            if (const cudaError_t error = access_error("cuMemSetAccess", each->gpu, asked(i)))
                return driver_result(error);
        }
    }
    for (Mapping* each : all) {
        Access access = access_of(*each);
        for (std::size_t i = 0; i < count; ++i) give(access, asked(i));
        set_access(*each, access);
    }
    the_machine().forget_pages();
    return CUDA_SUCCESS;
}

CUresult mem_get_access(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer) {
    if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemGetAccess")) return error;
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || !is_device(location->id))
        return CUDA_ERROR_INVALID_DEVICE;
    const Mapping* mapping = the_mappings().find(pointer);
    if (mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = static_cast<unsigned long long>(flags_of(access_of(*mapping), gpu_of(location->id)));
    return CUDA_SUCCESS;
}

CUresult mem_export_handle(void* into, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                           unsigned long long flags) {
    if (into == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(vmm_mutex);
    Physical* one = find_physical(handle);
    if (one == nullptr || type != descriptors || one->types != type || one->backing.file != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemExportToShareableHandle", one->backing.gpu)) return error;
    const int descriptor =
        to_descriptor(make_handle(Handle::Kind::memory, one->backing.gpu, one->backing.offset, one->bytes));
    if (descriptor < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    one->exported = true;
    std::memcpy(into, &descriptor, sizeof descriptor);
    return CUDA_SUCCESS;
}

CUresult mem_import_handle(CUmemGenericAllocationHandle* handle, void* from, CUmemAllocationHandleType type) {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (type != descriptors) return CUDA_ERROR_NOT_SUPPORTED;
    const auto given = from_descriptor(static_cast<int>(reinterpret_cast<std::intptr_t>(from)));
    const auto file = given ? open_handle(*given, Handle::Kind::memory) : std::nullopt;
    if (!file) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemImportFromShareableHandle", given->gpu)) return error;
    if (!the_machine().bench().gpus[given->gpu].fd_handles) return CUDA_ERROR_NOT_SUPPORTED;
    if (device_of(given->gpu) == -1) return CUDA_ERROR_INVALID_DEVICE;
    const std::lock_guard lock(vmm_mutex);
    const Backing backing{given->gpu, given->offset, *file};
    for (auto& [known, one] : physicals) {
        const Backing& there = one.backing;
        if (there.gpu != backing.gpu || there.offset != backing.offset || there.file != backing.file)
            continue;
        ++one.handles;
        *handle = known;
        return CUDA_SUCCESS;
    }
    *handle = ++last_handle;
    physicals.emplace(*handle, Physical{backing, given->bytes, descriptors, 1, 0, *file == 0});
    return CUDA_SUCCESS;
}

CUresult mem_properties(CUmemAllocationProp* into, CUmemGenericAllocationHandle handle) {
    if (into == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = before("cuMemGetAllocationPropertiesFromHandle")) return error;
    const std::lock_guard lock(vmm_mutex);
    const Physical* one = find_physical(handle);
    if (one == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *into = {};
    into->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    into->requestedHandleTypes = one->types;
    into->location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    into->location.id = device_of(one->backing.gpu);
    return CUDA_SUCCESS;
}

const DriverCall memory_calls[] = {
    PEERPROOF_DRIVER_CALL_OF(cuMemGetAllocationGranularity, mem_granularity, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemCreate, mem_create, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemRelease, mem_release, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemRetainAllocationHandle, mem_retain, 11000),
    PEERPROOF_DRIVER_CALL_OF(cuMemAddressReserve, mem_reserve, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemAddressFree, mem_unreserve, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemMap, mem_map, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemUnmap, mem_unmap, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemSetAccess, mem_set_access, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemGetAccess, mem_get_access, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemExportToShareableHandle, mem_export_handle, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemImportFromShareableHandle, mem_import_handle, 10020),
    PEERPROOF_DRIVER_CALL_OF(cuMemGetAllocationPropertiesFromHandle, mem_properties, 10020),
};

}  // namespace

const DriverCall* find_memory_call(const char* name) { return find_call_in(memory_calls, name); }

}  // namespace peerproof::simulated
