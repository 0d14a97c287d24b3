#include "simulator/flights.hpp"

#include <signal.h>

#include <bitset>
#include <cerrno>

namespace peerproof::simulated {
namespace {

constexpr std::uint32_t in_use = 1u << 31;

std::uint32_t packed(const Flying& one) {
    return in_use | static_cast<std::uint32_t>(one.doing) << 16 | static_cast<std::uint32_t>(one.from) << 8 |
           static_cast<std::uint32_t>(one.to);
}
Flying unpacked(std::uint32_t word) {
    return {static_cast<int>(word >> 8 & 0xff), static_cast<int>(word & 0xff),
            static_cast<Doing>(word >> 16 & 0xff)};
}

bool is_gone(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

bool claim(Flight& slot, pid_t process) {
    pid_t found = 0;
    if (slot.process.compare_exchange_strong(found, process)) return true;
    return found != process && is_gone(found) && slot.process.compare_exchange_strong(found, process);
}

template <class Use>
void for_each(const Flights& flights, Use use) {
    pid_t known = 0;
    bool gone = false;
    for (int i = 0; i < flights.used.load(std::memory_order_acquire); ++i) {
        const Flight& slot = flights.slots[i];
        const std::uint32_t flying = slot.flying.load(std::memory_order_acquire);
        const pid_t process = slot.process.load(std::memory_order_acquire);
        if (flying == 0 || process == 0) continue;
        if (process != known) {
            known = process;
            gone = is_gone(process);
        }
        if (!gone) use(unpacked(flying));
    }
}

bool is_one_of(Going what, Doing doing) {
    switch (what) {
        case Going::loads:
            return doing == Doing::load;
        case Going::stores:
            return doing == Doing::store;
        case Going::kernels:
            return doing != Doing::copy;
        case Going::copies:
            return doing == Doing::copy;
        case Going::any:
            break;
    }
    return true;
}

}  // namespace

int take_off(Flights& flights, pid_t process, const Flying& one) {
    for (int i = 0; i < flight_limit; ++i) {
        Flight& slot = flights.slots[i];
        if (!claim(slot, process)) continue;
        slot.number.store(flights.numbers.fetch_add(1) + 1);
        slot.flying.store(packed(one), std::memory_order_release);
        int used = flights.used.load();
        while (used <= i && !flights.used.compare_exchange_weak(used, i + 1)) {}
        return i + 1;
    }
    return 0;
}

void land(Flights& flights, int flight) {
    if (flight == 0) return;
    Flight& slot = flights.slots[flight - 1];
    slot.flying.store(0, std::memory_order_release);
    slot.process.store(0, std::memory_order_release);
}

std::optional<Seen> seen(const Flight& flight) {
    const std::uint64_t number = flight.number.load(std::memory_order_acquire);
    const std::uint32_t flying = flight.flying.load(std::memory_order_acquire);
    const pid_t process = flight.process.load(std::memory_order_acquire);
    if (flying == 0 || process == 0 || is_gone(process)) return std::nullopt;
    if (flight.number.load(std::memory_order_acquire) != number) return std::nullopt;
    return Seen{number, unpacked(flying)};
}

int active_pairs(const Flights& flights, int from, int to) {
    std::bitset<max_gpus * max_gpus> active;
    active.set(static_cast<std::size_t>(from * max_gpus + to));
    for_each(flights,
             [&](const Flying& one) { active.set(static_cast<std::size_t>(one.from * max_gpus + one.to)); });
    return static_cast<int>(active.count());
}

bool is_flying(const Flights& flights, int from, int to, Going what) {
    bool any = false;
    for_each(flights, [&](const Flying& one) {
        any = any || (one.from == from && one.to == to && is_one_of(what, one.doing));
    });
    return any;
}

}  // namespace peerproof::simulated
