#include "ctest/collective/same_bench.hpp"

#include <dlfcn.h>

#include <stdexcept>

#include "session/format.hpp"

namespace peerproof {
namespace {

std::string file_of(const char* symbol) {
    Dl_info where{};
    void* address = ::dlsym(RTLD_DEFAULT, symbol);
    if (address == nullptr || ::dladdr(address, &where) == 0 || where.dli_fname == nullptr) return "?";
    return where.dli_fname;
}

}  // namespace

void need_same_bench() {
    const bool runtime = ::dlsym(RTLD_DEFAULT, "peerproof_simulated_bench") != nullptr;
    const bool nccl = ::dlsym(RTLD_DEFAULT, "peerproof_simulated_collectives") != nullptr;
    if (runtime == nccl) return;
    throw std::runtime_error(format("NCCL is {} and the CUDA runtime is {} ({}, {})",
                                    nccl ? "simulated" : "real", runtime ? "simulated" : "real",
                                    file_of("ncclGetVersion"), file_of("cudaGetDeviceCount")));
}

}  // namespace peerproof
