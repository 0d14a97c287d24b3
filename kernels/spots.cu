#include "kernels/note.cuh"
#include "kernels/spots.hpp"

namespace peerproof::kernels {
namespace {

PEERPROOF_DEVICE_ONLY inline std::uint64_t first_guard(std::uint64_t place) {
    const std::uint64_t sector = place / sector_words * sector_words;
    return sector < sector_words ? 0 : sector - sector_words;
}

PEERPROOF_DEVICE_ONLY inline std::uint64_t end_of_guard(std::uint64_t place, std::uint64_t limit) {
    const std::uint64_t end = (place / sector_words + 2) * sector_words;
    return end < limit ? end : limit;
}

}  // namespace

PEERPROOF_KERNEL void fill_spots(std::uint64_t* words, std::uint64_t limit, const std::uint64_t* places,
                                 std::uint64_t count, std::uint64_t stamp, std::uint64_t guard) {
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid()) {
        const std::uint64_t place = places[i], end = end_of_guard(place, limit);
        for (std::uint64_t at = first_guard(place); at < end; ++at)
            words[at] = word_of(at == place ? stamp : guard, at);
    }
}

PEERPROOF_KERNEL void compare_spots(const std::uint64_t* words, std::uint64_t limit,
                                    const std::uint64_t* places, std::uint64_t count, std::uint64_t stamp,
                                    std::uint64_t poison, std::uint64_t guard, Comparison* result) {
    const Wanted wanted{stamp, poison};
    unsigned long long compared = 0;
    for (std::size_t i = first_of_grid(); i < count; i += size_of_grid()) {
        const std::uint64_t place = places[i], end = end_of_guard(place, limit);
        for (std::uint64_t at = first_guard(place); at < end; ++at) {
            if (at == place) {
                note(words[at], place, place, wanted, result);
            } else if (words[at] != word_of(guard, at)) {
                atomicAdd(&result->beside, 1ull);
                atomicMin(&result->first_beside, static_cast<unsigned long long>(at));
            }
        }
        ++compared;
    }
    add_of_all(&result->compared, compared);
}

PEERPROOF_SIMULATE(fill_spots)
PEERPROOF_SIMULATE(compare_spots)

}  // namespace peerproof::kernels
