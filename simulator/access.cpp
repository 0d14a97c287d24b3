#include "simulator/access.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <unordered_map>

#include "simulator/layout.hpp"

namespace peerproof::simulated {
namespace {

const Bench* bench = nullptr;
int self = -1;

// What is remembered here outlives a kernel that faults and is left by a jump: so memory is always touched
// first, while nothing of these is half changed.
using Sector = std::array<std::byte, 32>;
std::unordered_map<std::uint64_t, Sector> first_seen[3];  // by LoadKind
struct Word {
    std::uint64_t value;
    std::size_t bytes;
};
std::unordered_map<std::uint64_t, Word> held_back;  // data that is stored when the kernel ends
// Data that was loaded before it was asked for: 4 KiB at a time, and each 4 bytes of them are used once.
struct Ahead {
    alignas(8) std::array<std::byte, 4096> bytes;
    std::bitset<1024> used;
};
std::unordered_map<std::uint64_t, Ahead> ahead;
std::uint32_t atomics_done[max_atomic_rules] = {};

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

// The GPU whose memory it is, -1 where it is of none.
int owner_of(const void* pointer) {
    const std::uint64_t address = address_of(pointer);
    if (address < device_base || address >= device_base + place_of(max_gpus)) return -1;
    const int owner = static_cast<int>((address - device_base) / gpu_span);
    return owner < bench->count ? owner : -1;
}
int peer_at(const void* pointer) {  // -1: of none, or of this one
    const int owner = owner_of(pointer);
    return owner == self ? -1 : owner;
}

// The last that is of such accesses to that GPU's memory.
template <class Fits>
const AccessRule* rule_for(int owner, Fits fits) {
    const AccessRule* found = nullptr;
    for (int i = 0; owner >= 0 && i < bench->access_rule_count; ++i) {
        const AccessRule& rule = bench->access_rules[i];
        if (is_meant(rule.from, self) && is_meant(rule.to, owner) && fits(rule)) found = &rule;
    }
    return found;
}

// As one instruction each: never a byte at a time.
void copy_access(void* to, const void* from, std::size_t bytes) {
    const auto move = [&]<class T>(T) {
        T value = load_once(static_cast<const T*>(from));
        __atomic_store(static_cast<T*>(to), &value, __ATOMIC_RELAXED);
    };
    switch (bytes) {
        case 1:
            return move(std::uint8_t{});
        case 2:
            return move(std::uint16_t{});
        case 4:
            return move(std::uint32_t{});
        case 8:
            return move(std::uint64_t{});
        default:
            copy_access(to, from, 8);
            copy_access(static_cast<std::byte*>(to) + 8, static_cast<const std::byte*>(from) + 8, 8);
    }
}

// The 32 bytes around it, as they were when a load of that kind came to them first.
void load_first_seen(LoadKind kind, const void* from, void* into, std::size_t bytes) {
    const std::uint64_t address = address_of(from), begin = address / sizeof(Sector) * sizeof(Sector);
    Sector now;
    for (std::size_t i = 0; i < sizeof now; i += 8)
        copy_access(now.data() + i, reinterpret_cast<const std::byte*>(begin) + i, 8);
    const Sector& seen = first_seen[static_cast<int>(kind)].try_emplace(begin, now).first->second;
    std::memcpy(into, seen.data() + (address - begin), bytes);
}

std::uint64_t load_word(const void* from, std::size_t bytes) {
    return bytes == 4 ? __atomic_load_n(static_cast<const std::uint32_t*>(from), __ATOMIC_RELAXED)
                      : __atomic_load_n(static_cast<const std::uint64_t*>(from), __ATOMIC_RELAXED);
}
void store_word(void* to, const Word& word) {
    if (word.bytes == 4)
        __atomic_store_n(static_cast<std::uint32_t*>(to), static_cast<std::uint32_t>(word.value),
                         __ATOMIC_RELAXED);
    else
        __atomic_store_n(static_cast<std::uint64_t*>(to), word.value, __ATOMIC_RELAXED);
}

Ahead& ahead_of(const void* pointer) {
    const std::uint64_t block = address_of(pointer) / sizeof(Ahead::bytes);
    if (const auto known = ahead.find(block); known != ahead.end()) return known->second;
    Ahead now{};
    for (std::size_t i = 0; i < now.bytes.size(); i += 8)
        copy_access(now.bytes.data() + i, reinterpret_cast<const std::byte*>(block * now.bytes.size()) + i,
                    8);
    return ahead.emplace(block, now).first->second;
}
std::size_t word_in(const Ahead& early, const void* pointer) {
    return address_of(pointer) % early.bytes.size() / 4;
}
bool is_used(const Ahead& early, const void* pointer, std::size_t bytes) {
    const std::size_t word = word_in(early, pointer);
    return early.used[word] || (bytes == 8 && early.used[word + 1]);
}
void use(Ahead& early, const void* pointer, std::size_t bytes) {
    const std::size_t word = word_in(early, pointer);
    early.used[word] = true;
    if (bytes == 8) early.used[word + 1] = true;
}

// An owner that is done before the others have begun loses nothing, and two processes may run so.
void take_time(const AtomicRule& rule) {
    static unsigned done = 0;
    if (rule.deed == AtomicDeed::not_atomic && ++done % 16 == 0) pause_within_atomic();
}

Order order_at(const void* pointer) {
    const int owner = peer_at(pointer);
    return owner < 0 ? Order::kept : bench->paths[self][owner].order;
}

}  // namespace

void begin_accesses(const Bench& said, int gpu) {
    bench = &said;
    self = gpu;
    accesses_differ = said.access_rule_count > 0 || said.atomic_rule_count > 0 ||
                      std::any_of(said.paths[gpu], said.paths[gpu] + said.count,
                                  [](const Path& path) { return path.order != Order::kept; });
}

void end_of_kernel_accesses() {
    for (const auto& [address, word] : held_back) store_word(reinterpret_cast<void*>(address), word);
    held_back.clear();
    ahead.clear();
}

void load_by_rules(LoadKind kind, const void* from, void* into, std::size_t bytes) {
    const AccessRule* rule = rule_for(peer_at(from), [&](const AccessRule& each) {
        if (each.of == AccessRule::Of::loads) return each.bytes == static_cast<int>(bytes);
        return (each.of == AccessRule::Of::cached && kind == LoadKind::cached) ||
               (each.of == AccessRule::Of::read_only && kind == LoadKind::read_only);
    });
    if (rule != nullptr && rule->of != AccessRule::Of::loads) return load_first_seen(kind, from, into, bytes);
    copy_access(into, from, bytes);
    if (rule == nullptr) return;
    const std::size_t kept = rule->deed == AccessDeed::torn ? bytes / 2 : 0;
    std::memset(static_cast<std::byte*>(into) + kept, 0, bytes - kept);
}

void store_by_rules(void* to, const void* from, std::size_t bytes) {
    const AccessRule* rule = rule_for(peer_at(to), [&](const AccessRule& each) {
        return each.of == AccessRule::Of::stores && each.bytes == static_cast<int>(bytes);
    });
    if (rule == nullptr) return copy_access(to, from, bytes);
    // What is dropped still needs a window that is open.
    std::byte old[16];
    copy_access(old, to, bytes);
    if (rule->deed == AccessDeed::torn) copy_access(to, from, bytes / 2);
}

std::uint64_t load_data_by_rules(const void* from, std::size_t bytes) {
    const Order order = order_at(from);
    const std::uint64_t now = load_word(from, bytes);
    if (order == Order::kept) return now;
    if (const auto own = held_back.find(address_of(from)); own != held_back.end()) return own->second.value;
    if (order != Order::load_early) return now;
    Ahead& early = ahead_of(from);
    if (is_used(early, from, bytes)) return now;
    use(early, from, bytes);
    return load_word(early.bytes.data() + address_of(from) % early.bytes.size(), bytes);
}

void store_data_by_rules(void* to, std::uint64_t value, std::size_t bytes) {
    const Word word{value, bytes};
    switch (order_at(to)) {
        case Order::flag_first:
            load_word(to, bytes);  // a window that is shut is an illegal address at once
            held_back[address_of(to)] = word;
            return;
        case Order::load_early:
            store_word(to, word);
            use(ahead_of(to), to, bytes);
            return;
        case Order::kept:
            store_word(to, word);
    }
}

AtomicDeed atomic_deed(const void* place, AtomicOperation operation, std::size_t bytes) {
    const int owner = owner_of(place);
    AtomicDeed deed = AtomicDeed::as_written;
    for (int i = 0; owner >= 0 && i < bench->atomic_rule_count; ++i) {
        const AtomicRule& rule = bench->atomic_rules[i];
        const bool fits = is_meant(rule.to, owner) && (rule.every_operation || rule.operation == operation) &&
                          (rule.bits == 0 || rule.bits == static_cast<int>(8 * bytes));
        if (!fits) continue;
        if (owner == self)
            take_time(rule);
        else if (is_meant(rule.from, self) && ++atomics_done[i] % rule.every == 0)
            deed = rule.deed;
    }
    return deed;
}

void pause_within_atomic() {
    sched_yield();
    const timespec a_while{0, 20'000};
    nanosleep(&a_while, nullptr);
}

}  // namespace peerproof::simulated
