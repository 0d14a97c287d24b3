#include "kernels/contend.hpp"

namespace peerproof::kernels {
namespace {

// One that always comes too late goes on as long as nobody tells it to stop: the others end before it.
template <class T>
PEERPROOF_DEVICE_ONLY inline void add_by_swaps(T* place, T share, const volatile std::uint32_t* stop) {
    T held = *static_cast<volatile T*>(place);
    for (unsigned tries = 1;; ++tries) {
        const T found = atomicCAS_system(place, held, static_cast<T>(held + share));
        if (found == held || (tries % looks_between == 0 && *stop != 0)) return;
        held = found;
    }
}

template <class T>
PEERPROOF_DEVICE_ONLY inline void update(const Contest& contest, std::uint64_t word, std::uint64_t round,
                                         const std::uint32_t* stop) {
    T* place = static_cast<T*>(contest.words) + word;
    const T share = static_cast<T>(share_of_side(contest.side)),
            bit = static_cast<T>(bit_of(contest.side, round));
    switch (contest.operation) {
        case Atomic::add:
            atomicAdd_system(place, share);
            return;
        case Atomic::compare_and_swap:
            add_by_swaps(place, share, stop);
            return;
        case Atomic::exchange: {
            const T value = static_cast<T>(value_put_in(contest, contest.side, round, word));
            const std::uint64_t weight = weight_of(atomicExch_system(place, value));
            atomicAdd(reinterpret_cast<unsigned long long*>(contest.returned) + word,
                      static_cast<unsigned long long>(weight));
            return;
        }
        case Atomic::bit_or:
            atomicOr_system(place, bit);
            return;
        case Atomic::bit_and:
            atomicAnd_system(place, static_cast<T>(~bit));
            return;
    }
}

}  // namespace

PEERPROOF_KERNEL void contend(Contest contest, Meeting meeting) {
    meet(meeting);
    for (std::size_t i = first_of_grid(); i < contest.count * contest.rounds; i += size_of_grid()) {
        const std::uint64_t word = i % contest.count, round = i / contest.count;
        between_looks();  // two simulated GPUs may share a processor, and must take turns
        if (contest.bits == 32)
            update<unsigned>(contest, word, round, meeting.stop);
        else
            update<unsigned long long>(contest, word, round, meeting.stop);
    }
}

PEERPROOF_SIMULATE(contend)

}  // namespace peerproof::kernels
