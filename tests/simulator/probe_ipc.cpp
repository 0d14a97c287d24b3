// Steps of the probe: CUDA IPC.
#include <fcntl.h>

#include <cstdio>
#include <cstring>

#include "tests/simulator/probe.hpp"

namespace peerproof::probe {

std::string hex_of(const void* bytes, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(bytes)[i]);
        text += digits;
    }
    return text;
}

void bytes_of(const std::string& hex, void* into, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        static_cast<unsigned char*>(into)[i] =
            static_cast<unsigned char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
}

int descriptor_at(const std::string& path) { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); }

Steps ipc_steps() {
    static std::string own_handle;
    return {
        {"ipc_get",  // NAME [OFFSET]
         [](const Words& w) {
             cudaIpcMemHandle_t handle{};
             const cudaError_t error = cudaIpcGetMemHandle(&handle, at(pointer(w, 1), number(w, 2)));
             own_handle = hex_of(&handle, sizeof handle);
             return with(error, own_handle);
         }},
        {"ipc_open",  // NAME HANDLE BYTES [FLAGS]; the handle is `own` for the one that was got last
         [](const Words& w) {
             cudaIpcMemHandle_t handle{};
             bytes_of(w.at(2) == "own" ? own_handle : w.at(2), &handle, sizeof handle);
             Pointer& memory = pointer(w, 1);
             memory.bytes = number(w, 3);
             const auto flags = static_cast<unsigned>(number(w, 4, cudaIpcMemLazyEnablePeerAccess));
             return std::to_string(cudaIpcOpenMemHandle(&memory.address, handle, flags));
         }},
        {"ipc_close",
         [](const Words& w) { return std::to_string(cudaIpcCloseMemHandle(pointer(w, 1).address)); }},
        {"same",  // NAME NAME: whether both are one address
         [](const Words& w) {
             return std::string(pointer(w, 1).address == pointer(w, 2).address ? "yes" : "no");
         }},
        {"at",  // NAME OTHER OFFSET: the first is a place in the second
         [](const Words& w) {
             const Pointer& all = pointer(w, 2);
             pointer(w, 1) = {at(all, number(w, 3)), all.bytes - number(w, 3)};
             return std::string("0");
         }},
    };
}

}  // namespace peerproof::probe
