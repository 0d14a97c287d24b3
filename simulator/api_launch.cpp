// Kernels: what nvcc's stubs call, and the launch.
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "simulator/capture.hpp"
#include "simulator/kernel_registry.hpp"
#include "simulator/modelled_time.hpp"

using namespace peerproof::simulated;

namespace {

struct Registered {
    std::string mangled;
    const Kernel* kernel;
};

// Filled before main, by the constructors that nvcc writes, and only read afterwards.
std::map<const void*, Registered>& registered() {
    static auto* map = new std::map<const void*, Registered>;
    return *map;
}

struct Configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

bool fits(dim3 grid, dim3 block) {
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    return threads >= 1 && threads <= 1024 && block.x <= 1024 && block.y <= 1024 && block.z <= 64 &&
           grid.x >= 1 && grid.x <= 2147483647 && grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 &&
           grid.z <= 65535;
}

// The host function of a kernel, which is also what stands for a cudaKernel_t here.
const Registered* find(const void* function) {
    const auto found = registered().find(function);
    return found == registered().end() ? nullptr : &found->second;
}

Command command_for(const Kernel& kernel, void** arguments) {
    Command command{};
    command.act = Act::kernel;
    std::strncpy(command.kernel, kernel.name, sizeof command.kernel - 1);
    std::size_t used = 0;
    for (int i = 0; i < kernel.argument_count; ++i) {
        const std::size_t bytes = kernel.argument_bytes[i];
        if (i == argument_limit || used + bytes > argument_bytes_limit)
            die(std::string("kernel ") + kernel.name +
                " has more arguments than the simulated bench passes on");
        command.argument_offset[i] = static_cast<std::uint32_t>(used);
        std::memcpy(command.arguments + used, arguments[i], bytes);
        used = (used + bytes + 15) / 16 * 16;
    }
    return command;
}

cudaError_t post_command(cudaStream_t stream, const Stream& where, const Command& command) {
    return post_or_capture(stream, where, [command](cudaStream_t to, const Stream& at, std::uint32_t launch) {
        Command now = command;
        now.graph_launch = launch;
        post_to(to, at, now);
        return cudaSuccess;
    });
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return error;
    const Registered* entry = find(function);
    if (entry == nullptr) return cudaErrorInvalidDeviceFunction;
    if (entry->kernel == nullptr)
        die("kernel " + entry->mangled +
            " was not compiled for the simulated bench: it needs PEERPROOF_SIMULATE and a place in "
            "kernels/CMakeLists.txt");
    Stream where{};
    if (!find_stream(stream, where) || where.gpu != current_gpu()) return cudaErrorInvalidResourceHandle;
    if (!fits(grid, block)) return cudaErrorInvalidConfiguration;
    Command command = command_for(*entry->kernel, arguments);
    command.transfer = transfer_of_kernel(command, where.gpu, the_machine().control());
    return post_command(stream, where, command);
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void*) {
    static void* handle = nullptr;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void**, const char* host_function, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
    registered()[host_function] = {name, find_kernel_of_nvcc(name)};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    const Configuration last = configurations.back();
    configurations.pop_back();
    *grid = last.grid;
    *block = last.block;
    *shared = last.shared;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    if (find(function) == nullptr) return finish(cudaErrorInvalidDeviceFunction);
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t,
                               cudaStream_t stream) {
    return finish(launch(kernel, grid, block, arguments, stream));
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t,
                             cudaStream_t stream) {
    return finish(launch(function, grid, block, arguments, stream));
}

// For libraries of the simulated bench, whose kernels no nvcc has seen: by the name of PEERPROOF_SIMULATE.
cudaError_t peerproof_simulated_launch(const char* name, void** arguments, cudaStream_t stream) {
    if (const cudaError_t error = context_error()) return finish(error);
    const Kernel* kernel = find_kernel(name);
    Stream where{};
    if (kernel == nullptr || !find_stream(stream, where) || where.gpu != current_gpu())
        return finish(cudaErrorInvalidValue);
    return finish(post_command(stream, where, command_for(*kernel, arguments)));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    if (attributes == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    if (find(function) == nullptr) return finish(cudaErrorInvalidDeviceFunction);
    const Gpu& gpu = the_machine().bench().gpus[current_gpu()];
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->binaryVersion = attributes->ptxVersion = gpu.major * 10 + gpu.minor;
    return finish(cudaSuccess);
}

}  // extern "C"
