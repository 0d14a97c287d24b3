#include "simulator/modelled_time.hpp"

#include <algorithm>
#include <cstring>

namespace peerproof::simulated {
namespace {

using Kind = Transfer::Kind;

int gpu_of_plain(std::uint64_t pointer) {
    if (pointer < device_base) return -1;
    const std::uint64_t region = (pointer - device_base) / gpu_span;
    return region < max_gpus ? static_cast<int>(region) : -1;
}

// Memory that is no GPU's (a kernel that is meant to fault, host memory) is no transfer.
Transfer transfer(Kind kind, int from, int to, std::uint64_t amount) {
    if (from < 0 || to < 0) return {Kind::none, 0, -1, -1, 0};
    return {kind, 0, static_cast<std::int16_t>(from), static_cast<std::int16_t>(to), amount};
}

bool is(const Command& command, const char* name) { return std::strcmp(command.kernel, name) == 0; }

// 0 to 1, of the same command always the same.
double fraction(std::uint64_t seed) {
    seed = (seed + 1) * 0x9e3779b97f4a7c15;
    seed = (seed ^ (seed >> 29)) * 0xbf58476d1ce4e5b9;
    return static_cast<double>(seed >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

}  // namespace

std::uint64_t argument_of(const Command& command, int index) {
    std::uint64_t value = 0;
    std::memcpy(&value, command.arguments + command.argument_offset[index], sizeof value);
    return value;
}

bool is_between_gpus(const Transfer& one) {
    return one.kind == Kind::kernel || one.kind == Kind::copy || one.kind == Kind::staged;
}

Transfer transfer_of_kernel(const Command& command, int actor, const Control& control) {
    const auto gpu_of_pointer = [&](std::uint64_t pointer) {
        const Mapping* mapping = find_mapping(control, pointer);
        return mapping != nullptr ? mapping->gpu : gpu_of_plain(pointer);
    };
    if (is(command, "load_peer") || is(command, "stream_load")) {
        const int peer = gpu_of_pointer(argument_of(command, 1));
        return transfer(peer == actor ? Kind::own : Kind::kernel, peer, actor, argument_of(command, 2) * 8);
    }
    if (is(command, "store_peer") || is(command, "stream_store")) {
        const int peer = gpu_of_pointer(argument_of(command, 0));
        return transfer(peer == actor ? Kind::own : Kind::kernel, actor, peer, argument_of(command, 2) * 8);
    }
    if (is(command, "pointer_chase"))
        return transfer(Kind::loads, gpu_of_pointer(argument_of(command, 0)), actor, argument_of(command, 2));
    if (is(command, "ping_pong"))
        return transfer(Kind::rounds, gpu_of_pointer(argument_of(command, 1)), actor,
                        argument_of(command, 3));
    return transfer(Kind::none, -1, -1, 0);
}

// The links of switches to the root are shared: what goes both ways between two GPUs of one switch by way of
// the host crosses its link twice in each direction.
double shared_limit(const Bench& bench, const Transfer& one) {
    const int a = bench.gpus[one.from].link.behind, b = bench.gpus[one.to].link.behind;
    double limit = 1e5;
    for (const int each : {a, b}) {
        if (each >= 0) limit = std::min(limit, bench.switches[each].gb_per_s);
    }
    const bool crosses_twice = one.bidirectional != 0 && a >= 0 && a == b;
    return crosses_twice ? limit / 2 : limit;
}

std::int64_t duration(const Bench& bench, const Transfer& one, std::uint32_t number) {
    const auto is_gpu = [&](int gpu) { return gpu >= 0 && gpu < bench.count; };
    if (one.kind == Kind::none || !is_gpu(one.to) || !is_gpu(one.from)) return 0;
    const Path& path = bench.paths[one.from][one.to];
    const Gpu &source = bench.gpus[one.from], &target = bench.gpus[one.to];
    const bool both = one.bidirectional != 0, same = one.from == one.to;
    const auto amount = static_cast<double>(one.amount);
    double ns = 0;
    switch (one.kind) {
        case Kind::none:
            break;
        case Kind::own:
            ns = amount / target.memory_speed;
            break;
        case Kind::kernel:
            ns = amount / (both ? path.bidirectional / 2 : path.direct);
            break;
        case Kind::copy:
            ns = amount / (both ? path.bidirectional / 2 : path.copy_bandwidth);
            break;
        case Kind::staged:
            ns = amount / std::min(both ? path.bidirectional_staged / 2 : path.staged_copy_bandwidth,
                                   shared_limit(bench, one));
            break;
        case Kind::host_in:
            ns = amount / std::min(target.host_in, shared_limit(bench, one));
            break;
        case Kind::host_out:
            ns = amount / std::min(source.host_out, shared_limit(bench, one));
            break;
        case Kind::loads:
            ns = amount * 1e3 * (same ? target.memory_latency : path.latency);
            break;
        case Kind::rounds:
            ns = amount * 2e3 * path.latency;
            break;
    }
    if (!same) ns *= 1 + path.noise * (2 * fraction(number * 64ull + static_cast<unsigned>(one.to)) - 1);
    return static_cast<std::int64_t>(ns);
}

}  // namespace peerproof::simulated
