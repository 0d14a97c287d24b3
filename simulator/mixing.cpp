#include "simulator/mixing.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "simulator/files.hpp"
#include "simulator/modelled_time.hpp"

namespace peerproof::simulated {
namespace {

constexpr std::size_t sector = 32, every = 8 * sector;

bool is_mixed_up(const Bench& bench, int source) {
    const int behind = bench.gpus[source].link.behind;
    return behind >= 0 && bench.switches[behind].mixes_up;
}

// The flow of this command, where it may be mixed up with others.
std::optional<Seen> flow_of(const Bench& bench, const Command& command, const Flights& flights) {
    if (!bench.mixes_up || command.flight == 0 || command.bytes == 0) return std::nullopt;
    const std::optional<Seen> mine = seen(flights.slots[command.flight - 1]);
    return mine && is_mixed_up(bench, mine->flying.from) ? mine : std::nullopt;
}

void take(const Command& command, const std::byte (&carried)[mixed_bytes]) {
    for (std::size_t at = 0; at + sector <= std::min<std::uint64_t>(mixed_bytes, command.bytes);
         at += every) {
        [[maybe_unused]] const ssize_t written =
            pwrite(descriptor_of(command.to_file), carried + at, sector, static_cast<off_t>(command.to + at));
    }
}

void note_flow(Command& command, const Control& control) {
    if (!is_between_gpus(command.transfer)) return;
    const auto spot_of = [&](int index) {
        const std::uint64_t pointer = argument_of(command, index);
        const Mapping* mapping = find_mapping(control, pointer);
        if (mapping == nullptr) return Spot{pointer - device_base};
        return Spot{place_of(mapping->gpu) + mapping->offset + (pointer - mapping->at), mapping->file};
    };
    const bool has_places = std::strstr(command.kernel, "_peer") != nullptr && argument_of(command, 3) != 0;
    if (has_places) return;
    const Spot to = spot_of(0), from = spot_of(1);
    command.to = to.place;
    command.to_file = to.file;
    command.from = from.place;
    command.from_file = from.file;
    command.bytes = command.transfer.amount;
}

}  // namespace

void begin_flow(const Control& control, Command& command, Flights& flights) {
    if (control.bench.mixes_up && command.act == Act::kernel) note_flow(command, control);
    const std::optional<Seen> mine = flow_of(control.bench, command, flights);
    if (!mine) return;
    FlightLoad& load = flights.loads[command.flight - 1];
    const std::size_t bytes = std::min<std::uint64_t>(mixed_bytes, command.bytes);
    [[maybe_unused]] const ssize_t read =
        pread(descriptor_of(command.from_file), load.carried, bytes, static_cast<off_t>(command.from));
    load.carried_by.store(mine->number, std::memory_order_release);
}

void end_flow(const Bench& bench, const Command& command, Flights& flights) {
    const std::optional<Seen> mine = flow_of(bench, command, flights);
    if (!mine) return;
    FlightLoad& load = flights.loads[command.flight - 1];
    for (int i = 0; i < flights.used.load(std::memory_order_acquire); ++i) {
        const std::optional<Seen> other = seen(flights.slots[i]);
        if (!other || other->flying.from != mine->flying.from || other->flying.to == mine->flying.to)
            continue;
        FlightLoad& theirs = flights.loads[i];
        if (theirs.carried_by.load(std::memory_order_acquire) == other->number) take(command, theirs.carried);
        std::memcpy(theirs.left, load.carried, mixed_bytes);
        theirs.left_for.store(other->number, std::memory_order_release);
    }
    if (load.left_for.load(std::memory_order_acquire) == mine->number) take(command, load.left);
}

}  // namespace peerproof::simulated
