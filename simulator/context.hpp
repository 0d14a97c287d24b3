// What the CUDA runtime remembers between calls: the current device, the last error, and whether all is lost.
#pragma once

#include <cuda_runtime_api.h>

#include "simulator/machine.hpp"

namespace peerproof::simulated {

// Every API function ends with `return finish(error);`: the last error of this thread.
cudaError_t finish(cudaError_t);

// The error that any call on the current device's context answers before it does anything, or success:
// no device in sight, a fault that was noticed (sticky), or a device that was reset after one (gone).
cudaError_t context_error();

// The same after a look at (and not a wait for) what the GPUs have done: a fault is noticed here.
cudaError_t notice_faults();

int current_device();
int current_gpu();  // only after context_error() was success
void set_current_device(int);
bool is_device(int);
int gpu_of(int device);
int device_of(int gpu);  // -1 where it is not in sight

// cudaDeviceReset after a fault: success, and from then on every call answers error 46, as an H200 did.
void give_up_devices();
bool devices_are_gone();

bool is_enabled(int actor, int owner);  // peer access, by GPU

// A number that is no address of anything, and none twice.
std::uintptr_t next_handle();
template <class Handle>
Handle new_handle() {
    return reinterpret_cast<Handle>(next_handle());
}

// What a stream is: the GPU, and the last command that was posted through it.
struct Stream {
    int gpu;
    std::uint32_t last = 0;
    bool is_default = false;
    bool is_non_blocking = false;  // the legacy stream does not wait for it
};
// Copies a handle's stream; the default ones are those of the current device. False: not a stream.
bool find_stream(cudaStream_t, Stream&);
std::uint32_t post_to(cudaStream_t, const Stream&, const Command&);  // remembers it as the stream's last

}  // namespace peerproof::simulated
