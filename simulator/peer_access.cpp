#include "simulator/peer_access.hpp"

#include <algorithm>

#include "simulator/context.hpp"
#include "simulator/enabling.hpp"
#include "simulator/ways.hpp"

namespace peerproof::simulated {

cudaError_t enable_peer_access(int actor, int owner) {
    Machine& machine = the_machine();
    if (const int refusal = machine.bench().paths[actor][owner].enable)
        return static_cast<cudaError_t>(refusal);
    auto& enabled = machine.control().enabled_at[actor];
    if (enabled[owner] != 0) {
        note_enabled_twice(machine.control(), actor, owner);
        return cudaErrorPeerAccessAlreadyEnabled;
    }
    const auto peers =
        std::count_if(std::begin(enabled), std::end(enabled), [](const auto& at) { return at != 0; });
    if (peers >= machine.bench().max_peers) return cudaErrorTooManyPeers;
    note_enabled(machine.control(), actor, owner);
    enabled[owner] = now_ns();
    return cudaSuccess;
}

cudaError_t disable_peer_access(int actor, int owner) {
    Machine& machine = the_machine();
    auto& enabled = machine.control().enabled_at[actor][owner];
    if (enabled == 0) return cudaErrorPeerAccessNotEnabled;
    machine.wait(actor, machine.posted(actor));
    enabled = 0;
    note_disabled(machine.control(), actor, owner);
    machine.forget_pages();
    return cudaSuccess;
}

cudaError_t access_error(std::string_view call, int owner, const AccessWanted& wanted) {
    const bool is_known = wanted.flags == cudaMemAccessFlagsProtNone ||
                          wanted.flags == cudaMemAccessFlagsProtRead ||
                          wanted.flags == cudaMemAccessFlagsProtReadWrite;
    if (!is_known) return cudaErrorInvalidValue;
    if (wanted.location_type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
    if (!is_device(wanted.location_id)) return cudaErrorInvalidDevice;
    const int actor = gpu_of(wanted.location_id);
    if (actor == owner || wanted.flags == cudaMemAccessFlagsProtNone) return cudaSuccess;
    const Bench& bench = the_machine().bench();
    if (const int error = refusal(bench, call, actor, owner)) return static_cast<cudaError_t>(error);
    const Path& path = bench.paths[actor][owner];
    if (path.enable != 0) return static_cast<cudaError_t>(path.enable);
    return path.can_access ? cudaSuccess : cudaErrorInvalidDevice;
}

void give(Access& access, const AccessWanted& wanted) {
    const std::uint64_t bit = std::uint64_t{1} << gpu_of(wanted.location_id);
    access.readable &= ~bit;
    access.writable &= ~bit;
    if (wanted.flags != cudaMemAccessFlagsProtNone) access.readable |= bit;
    if (wanted.flags == cudaMemAccessFlagsProtReadWrite) access.writable |= bit;
}

int flags_of(const Access& access, int gpu) {
    if ((access.writable >> gpu & 1) != 0) return cudaMemAccessFlagsProtReadWrite;
    return (access.readable >> gpu & 1) != 0 ? cudaMemAccessFlagsProtRead : cudaMemAccessFlagsProtNone;
}

Access access_of(const Mapping& mapping) { return {mapping.readable, mapping.writable}; }

void set_access(Mapping& mapping, const Access& access) {
    mapping.readable = access.readable;
    mapping.writable = access.writable;
}

}  // namespace peerproof::simulated
