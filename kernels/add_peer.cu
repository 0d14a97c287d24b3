// A kernel on the actor adds to words of a peer's memory, many threads to each, by atomics of system scope:
// where none of them is lost, done twice or torn, every word ends as the one that stands in the actor's own
// memory.
//
//   add_peer<<<...>>>(peer, own, count, poison, first_place, adders);
//
// Word i of `peer` must be word_of(poison, first_place + i) before. Its `adders` threads each add another share
// of what it lacks; they are threads of different blocks, so that additions to one word meet on their way.
#include "kernels/kernel.cuh"
#include "kernels/stamp_word.hpp"

namespace peerproof::kernels {
namespace {

constexpr std::uint64_t apart = 4099;  // words, from one adder's to the next one's in the same thread

// No two shares are alike, so that one which comes twice never makes up for one that is lost.
PEERPROOF_DEVICE_ONLY inline std::uint64_t share_of(std::uint64_t all, std::uint64_t adder,
                                                    std::uint64_t adders) {
    const std::uint64_t even = all / adders, rest = adder == 0 ? all - even * adders : 0;
    return even + rest + (2 * adder - (adders - 1)) * place_factor;  // the last term adds up to nothing
}

}  // namespace

PEERPROOF_KERNEL void add_peer(std::uint64_t* peer, const std::uint64_t* own, std::uint64_t count,
                               std::uint64_t poison, std::uint64_t first_place, std::uint64_t adders) {
    auto* window = reinterpret_cast<unsigned long long*>(peer);
    for (std::size_t i = first_of_grid(); i < count * adders; i += size_of_grid()) {
        const std::uint64_t adder = i / count, word = (i % count + adder * apart) % count;
        const std::uint64_t all = own[word] - word_of(poison, first_place + word);
        atomicAdd_system(&window[word], share_of(all, adder, adders));
    }
}

PEERPROOF_SIMULATE(add_peer)

}  // namespace peerproof::kernels
