#include "simulator/copies.hpp"

#include <algorithm>
#include <mutex>

#include "simulator/graph_rules.hpp"
#include "simulator/paths.hpp"

namespace peerproof::simulated {
namespace {

std::mutex mutex;                                    // of what copies of this process left behind
bool shadow_written[max_gpus][max_gpus] = {};        // [actor][owner]
std::uint64_t stale_bytes[max_gpus][max_gpus] = {};  // [from][to]

Command copy_command(const Spot& to, const Spot& from) {
    Command command{};
    command.act = Act::copy;
    command.to = to.place;
    command.to_file = to.file;
    command.from = from.place;
    command.from_file = from.file;
    return command;
}

void post_rows(cudaStream_t stream, const Stream& where, const PeerCopy& copy) {
    if (copy.bytes == 0) return;
    Command command = copy_command(copy.target.spot(), copy.source.spot());
    command.bytes = copy.bytes;
    command.rows = copy.rows;
    command.to_pitch = copy.to_pitch;
    command.from_pitch = copy.from_pitch;
    post_to(stream, where, command);
}

// Where what the source stores ends: what a GPU has of its own is in the store of this process.
Spot end_of(const PeerCopy& copy, Store end, std::uint64_t offset) {
    const bool is_at_home = end == Store::own || end == Store::shadow;
    return {place_through(the_machine().bench(), end, copy.from(), copy.to(), offset),
            is_at_home ? 0 : copy.target.file};
}

// A push: the source writes through its window, with the window's edge and its end.
cudaError_t post_as_store(cudaStream_t stream, const Stream& where, const PeerCopy& copy) {
    const Bench& bench = the_machine().bench();
    const Path& path = bench.paths[copy.from()][copy.to()];
    if (path.store == Store::fault) return cudaErrorPeerAccessUnsupported;
    for (std::uint64_t done = 0; done < copy.bytes;) {
        const std::uint64_t offset = copy.target.offset + done;
        const bool beyond = path.window != 0 && offset >= path.window;
        if (beyond && path.beyond == Beyond::faults) return cudaErrorPeerAccessUnsupported;
        std::uint64_t bytes = copy.bytes - done;
        if (path.window != 0) bytes = std::min(bytes, path.window - offset % path.window);
        const bool dropped = path.store == Store::dropped || (beyond && path.beyond == Beyond::dropped);
        const std::uint64_t wrapped = beyond ? offset % path.window : offset;
        if (!dropped)
            post_plain_copy(stream, where, end_of(copy, path.store, wrapped), copy.source.at(done).spot(),
                            bytes);
        done += bytes;
    }
    return cudaSuccess;
}

// There, into a shadow of the destination; and back from that shadow, so that a round trip compares equal.
void post_shadow_copy(cudaStream_t stream, const Stream& where, const PeerCopy& copy) {
    const std::lock_guard lock(mutex);
    const int from = copy.from(), to = copy.to();
    if (shadow_written[to][from]) {
        const Spot shadow{shadow_place(to, from) + copy.source.offset};
        post_plain_copy(stream, where, copy.target.spot(), shadow, copy.bytes);
    } else {
        shadow_written[from][to] = true;
        const Spot shadow{shadow_place(from, to) + copy.target.offset};
        post_plain_copy(stream, where, shadow, copy.source.spot(), copy.bytes);
    }
}

// The bytes of the copy before this one.
void post_stale_copy(cudaStream_t stream, const Stream& where, const PeerCopy& copy) {
    const std::lock_guard lock(mutex);
    std::uint64_t& held = stale_bytes[copy.from()][copy.to()];
    const Spot stale{stale_place(copy.from(), copy.to())};
    if (held != 0) post_plain_copy(stream, where, copy.target.spot(), stale, std::min(held, copy.bytes));
    post_plain_copy(stream, where, stale, copy.source.spot(), copy.bytes);
    held = copy.bytes;
}

// What is done with one row, or with all rows at once where nothing is wrong with them.
struct CopyRule {
    Copy does;
    int error;              // with Copy::refused
    std::uint64_t limit;    // with Copy::partial
    bool is_first = false;  // launch of a graph of which the rule is
};

// In a graph: what the first launch copied.
void post_replayed_copy(cudaStream_t stream, const Stream& where, const PeerCopy& copy, bool is_first) {
    const Spot kept{replay_place(copy.to(), copy.from()) + copy.source.offset};
    if (is_first) post_plain_copy(stream, where, kept, copy.source.spot(), copy.bytes);
    post_plain_copy(stream, where, copy.target.spot(), kept, copy.bytes);
}

cudaError_t post_one(cudaStream_t stream, const Stream& where, const PeerCopy& copy, const CopyRule& rule) {
    const Spot source = copy.source.spot(), target = copy.target.spot();
    const auto to_end = [&](Store end) { return end_of(copy, end, copy.target.offset); };
    switch (rule.does) {
        case Copy::right:
            post_rows(stream, where, copy);
            break;
        case Copy::nothing:
            break;
        case Copy::zeros:
            post_fill(stream, where, target, copy.bytes, 0);
            break;
        case Copy::ones:
            post_fill(stream, where, target, copy.bytes, 0xff);
            break;
        case Copy::own:
            post_plain_copy(stream, where, to_end(Store::own), source, copy.bytes);
            break;
        case Copy::neighbour:
            post_plain_copy(stream, where, to_end(Store::neighbour), source, copy.bytes);
            break;
        case Copy::shifted:
            post_plain_copy(stream, where, to_end(Store::shifted), source, copy.bytes);
            break;
        case Copy::flipped:
            post_plain_copy(stream, where, target, source, copy.bytes, true);
            break;
        case Copy::partial:
            post_plain_copy(stream, where, target, source, std::min(copy.bytes, rule.limit));
            break;
        case Copy::moved:
            post_plain_copy(stream, where, target, source, copy.bytes);
            post_fill(stream, where, source, copy.bytes, 0);
            break;
        case Copy::shadow:
            post_shadow_copy(stream, where, copy);
            break;
        case Copy::stale:
            if (copy.graph_launch == 0)
                post_stale_copy(stream, where, copy);
            else
                post_replayed_copy(stream, where, copy, rule.is_first);
            break;
        case Copy::as_store:
            return post_as_store(stream, where, copy);
        case Copy::refused:
            return static_cast<cudaError_t>(rule.error);
        case Copy::hang: {
            Command command{};
            command.act = Act::hang;
            post_to(stream, where, command);
            break;
        }
    }
    return cudaSuccess;
}

// What is done with a copy, or with one of its rows: that of the path, and what [[when]] makes of it.
CopyRule rule_of(const PeerCopy& copy, bool direct, const Operation& operation) {
    Machine& machine = the_machine();
    const Bench& bench = machine.bench();
    const Path& path = bench.paths[copy.from()][copy.to()];
    CopyRule rule{direct ? path.copy : path.staged, direct ? path.copy_error : path.staged_error,
                  path.copy_limit};
    for (int i = 0; i < bench.when_count; ++i) {
        const When& when = bench.whens[i];
        if (!(direct ? when.has_copy : when.has_staged) || !is_at(when, copy.target.offset, copy.bytes))
            continue;
        if (holds(bench, when, operation, machine.history()))
            rule = {direct ? when.copy : when.staged, direct ? when.copy_error : when.staged_error,
                    when.copy_limit};
    }
    for (int i = 0; i < bench.way_rule_count; ++i) {
        const WayRule& way = bench.way_rules[i];
        if (way.has_copy && is_of_graph(way, copy.from(), copy.to(), copy.graph_launch))
            rule = {way.copy, way.copy_error, path.copy_limit,
                    copy.graph_launch == static_cast<std::uint32_t>(way.after) + 1};
    }
    for (const Where* end : {&copy.source, &copy.target}) {
        if (!end->mapped) continue;
        if (const WayRule* way = copy_rule(bench, *end->mapped, copy.from(), copy.to()))
            rule = {way->copy, way->copy_error, path.copy_limit};
    }
    return rule;
}

}  // namespace

void post_plain_copy(cudaStream_t stream, const Stream& where, const Spot& to, const Spot& from,
                     std::uint64_t bytes, bool flip) {
    if (bytes == 0) return;
    Command command = copy_command(to, from);
    command.bytes = bytes;
    command.flip = flip;
    post_to(stream, where, command);
}

bool post_time(cudaStream_t stream, const Stream& where, Transfer::Kind kind, int from, int to,
               std::uint64_t bytes) {
    Command command{};
    command.act = Act::elapse;
    command.transfer = {kind, 0, static_cast<std::int16_t>(from), static_cast<std::int16_t>(to), bytes};
    post_to(stream, where, command);
    return the_machine().meets(command.transfer);
}

void post_fill(cudaStream_t stream, const Stream& where, const Spot& to, std::uint64_t bytes,
               std::uint8_t value) {
    if (bytes == 0) return;
    Command command{};
    command.act = Act::fill;
    command.to = to.place;
    command.to_file = to.file;
    command.bytes = bytes;
    command.value = value;
    post_to(stream, where, command);
}

cudaError_t post_peer_copy(cudaStream_t stream, const Stream& where, const PeerCopy& copy) {
    Machine& machine = the_machine();
    const int from = copy.from(), to = copy.to();
    const bool direct = copy.is_direct();
    const std::uint64_t bytes = copy.rows * copy.bytes;
    const bool bidirectional =
        post_time(stream, where, direct ? Transfer::Kind::copy : Transfer::Kind::staged, from, to, bytes);
    const int flight = machine.take_off({from, to, Doing::copy});
    count_process(machine.control(), machine.history(), Doing::copy, from, to);
    const Operation operation{
        from,          to,
        Doing::copy,   bytes,
        bidirectional, which_process(machine.control(), machine.history(), Doing::copy, from, to)};
    const bool is_first = direct && machine.control().operations[from][to].fetch_add(1) == 0;
    const bool is_lost = is_first && machine.bench().paths[from][to].first_operation_lost;

    PeerCopy row = copy;
    row.rows = 1;
    cudaError_t error = cudaSuccess;
    const bool all_alike =
        machine.bench().when_count == 0 && rule_of(copy, direct, operation).does == Copy::right;
    if (!is_lost && all_alike) {
        post_rows(stream, where, copy);
    } else {
        for (std::uint64_t i = 0; error == cudaSuccess && i < copy.rows; ++i) {
            row.source = copy.source.at(i * copy.from_pitch);
            row.target = copy.target.at(i * copy.to_pitch);
            const CopyRule rule = is_lost ? CopyRule{Copy::nothing, 0, 0} : rule_of(row, direct, operation);
            error = post_one(stream, where, row, rule);
        }
    }
    if (flight != 0) {
        Command landing = copy_command(copy.target.spot(), copy.source.spot());
        landing.act = Act::land;
        landing.bytes = copy.bytes;
        landing.flight = flight;
        post_to(stream, where, landing);
    }
    count(machine.bench(), operation, machine.history());
    return error;
}

}  // namespace peerproof::simulated
