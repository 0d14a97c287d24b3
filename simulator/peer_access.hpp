// Peer access as the driver grants it: by enabling, for plain memory and what IPC opened; to mapped memory and
// pools by naming the GPUs.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string_view>

#include "simulator/layout.hpp"

namespace peerproof::simulated {

// As cudaDeviceEnablePeerAccess of that GPU.
cudaError_t enable_peer_access(int actor, int owner);
cudaError_t disable_peer_access(int actor, int owner);

// Who may reach memory, a bit for each GPU.
struct Access {
    std::uint64_t readable = 0, writable = 0;
};

// What is asked for by cuMemSetAccess or cudaMemPoolSetAccess, whose numbers are the same.
struct AccessWanted {
    int location_type, location_id, flags;
};

// The error of a call of that name which gives such access to memory of `owner`. The driver refuses to peers
// what it would not enable, with the same error; 101 where only the capability bit says no.
cudaError_t access_error(std::string_view call, int owner, const AccessWanted&);
void give(Access&, const AccessWanted&);  // once there was no error
int flags_of(const Access&, int gpu);

Access access_of(const Mapping&);
void set_access(Mapping&,
                const Access&);  // GPU processes forget what they have mapped by Machine::forget_pages

}  // namespace peerproof::simulated
