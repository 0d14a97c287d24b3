#include "simulator/page_maps.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "simulator/files.hpp"
#include "simulator/paths.hpp"

namespace peerproof::simulated {
namespace {

constexpr std::uint64_t page_words = page_bytes / sizeof(std::uint64_t);

Fault map(std::uint64_t at, std::uint64_t bytes, int protection, int flags, int descriptor,
          std::uint64_t place) {
    void* address = mmap(address_of(at), bytes, protection, flags | MAP_FIXED | MAP_NORESERVE, descriptor,
                         static_cast<off_t>(place));
    return address == MAP_FAILED ? Fault::illegal : Fault::mapped;
}

int file_of_ones() {
    static const int ones = [] {
        const int descriptor = memfd_create("peerproof-ones", MFD_CLOEXEC);
        static std::uint8_t ones_block[4096];
        for (std::uint8_t& each : ones_block) each = 0xff;
        for (std::uint64_t at = 0; at < page_bytes; at += sizeof ones_block) {
            if (pwrite(descriptor, ones_block, sizeof ones_block, static_cast<off_t>(at)) < 0) return -1;
        }
        return descriptor;
    }();
    return ones;
}

}  // namespace

void* address_of(std::uint64_t at) { return reinterpret_cast<void*>(device_base + at); }

Fault map_real(std::uint64_t at, const Spot& spot, std::uint64_t bytes) {
    return map(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_of(spot.file), spot.place);
}
Fault map_read_only(std::uint64_t at, const Spot& spot) {
    return map(at, page_bytes, PROT_READ, MAP_SHARED, descriptor_of(spot.file), spot.place);
}
// Reads what is there, and keeps stores to itself.
Fault map_private(std::uint64_t at, const Spot& spot) {
    return map(at, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor_of(spot.file), spot.place);
}
Fault map_zeros(std::uint64_t at, int protection) {
    return map(at, page_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

Fault map_ones(std::uint64_t at, int protection) {
    return map(at, page_bytes, protection, MAP_PRIVATE, file_of_ones(), 0);
}

Fault map_flipped(std::uint64_t at, const Spot& spot) {
    if (map_private(at, spot) != Fault::mapped) return Fault::illegal;
    auto* words = static_cast<std::uint64_t*>(address_of(at));
    for (std::uint64_t i = flip_word; i < page_words; i += flip_step_words) words[i] ^= flip_bit;
    return mprotect(words, page_bytes, PROT_READ) == 0 ? Fault::mapped : Fault::illegal;
}

}  // namespace peerproof::simulated
