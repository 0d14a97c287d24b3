#include "simulator/layout.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace peerproof::simulated {

const Mapping* find_mapping(const Control& control, std::uint64_t address) {
    if (address < mapped_base || address >= mapped_base + mapped_span) return nullptr;
    for (int i = 0; i < control.mappings_used.load(std::memory_order_acquire); ++i) {
        const Mapping& mapping = control.mappings[i];
        const std::uint64_t at = mapping.at.load(std::memory_order_acquire);
        if (at != 0 && address >= at && address - at < mapping.bytes) return &mapping;
    }
    return nullptr;
}

std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

void wake(std::atomic<std::uint32_t>& word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen, int milliseconds) {
    const timespec limit{milliseconds / 1000, (milliseconds % 1000) * 1'000'000L};
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

}  // namespace peerproof::simulated
