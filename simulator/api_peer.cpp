// Peer access: what the driver says of it, and the switch.
#include "simulator/context.hpp"
#include "simulator/peer_access.hpp"

using namespace peerproof::simulated;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    if (can == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    if (!is_device(device) || !is_device(peer)) return finish(cudaErrorInvalidDevice);
    *can = device != peer && the_machine().bench().paths[gpu_of(device)][gpu_of(peer)].can_access ? 1 : 0;
    return finish(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr which, int device, int peer) {
    if (value == nullptr) return finish(cudaErrorInvalidValue);
    if (const cudaError_t error = context_error()) return finish(error);
    if (!is_device(device) || !is_device(peer) || device == peer) return finish(cudaErrorInvalidDevice);
    const Path& path = the_machine().bench().paths[gpu_of(device)][gpu_of(peer)];
    const bool can = path.can_access;
    switch (which) {
        case cudaDevP2PAttrPerformanceRank:
            *value = 0;
            break;
        case cudaDevP2PAttrNativeAtomicSupported:
            *value = can && path.native_atomics ? 1 : 0;
            break;
        case cudaDevP2PAttrAccessSupported:
        case cudaDevP2PAttrCudaArrayAccessSupported:
            *value = can ? 1 : 0;
            break;
        default:
            return finish(cudaErrorInvalidValue);
    }
    return finish(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (const cudaError_t error = notice_faults()) return finish(error);
    if (flags != 0) return finish(cudaErrorInvalidValue);
    if (!is_device(peer)) return finish(cudaErrorInvalidDevice);
    const int actor = current_gpu();
    const int owner = gpu_of(peer);
    if (actor == owner) return finish(cudaErrorPeerAccessUnsupported);
    return finish(enable_peer_access(actor, owner));
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    if (const cudaError_t error = notice_faults()) return finish(error);
    if (!is_device(peer)) return finish(cudaErrorInvalidDevice);
    const cudaError_t error = disable_peer_access(current_gpu(), gpu_of(peer));
    return finish(error != cudaSuccess ? error : notice_faults());
}

}  // extern "C"
