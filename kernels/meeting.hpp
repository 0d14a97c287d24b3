// Two kernels that must run at the same time wait for each other before they begin.
//
//   const bool met = meet(meeting);    // by every thread; false: its patience ended, and it goes on alone
//   leave_together(meeting, &left);    // by every thread, at its end: the kernel stays until the other has come to its own
//
// The words are pinned host memory, so that two kernels meet whatever lies between their GPUs. Where two kernels
// cannot run at once, the first waits in vain for as long as its patience lasts, and nobody waits for ever.
#pragma once

#include <cstdint>

#include "kernels/kernel.cuh"

namespace peerproof::kernels {

struct Meeting {
    std::uint32_t* here;         // of this kernel: 1 once it is there
    const std::uint32_t* there;  // of the other
    std::uint32_t* met;          // of this kernel: 1 where both were there when it began
    std::uint32_t* ended;        // of this kernel: 1 once all its threads have come to their end
    const std::uint32_t* others_ended;
    const std::uint32_t* stop;  // not zero: whoever waits gives up
    std::uint64_t patience;     // ticks of the GPU's clock
};

#if defined(__CUDACC__) || defined(PEERPROOF_SIMULATED_DEVICE)
PEERPROOF_DEVICE_ONLY inline bool meet(const Meeting& meeting) {
    const bool first = first_of_grid() == 0;
    const volatile std::uint32_t *there = meeting.there, *stop = meeting.stop;
    if (first) *static_cast<volatile std::uint32_t*>(meeting.here) = 1;
    const auto began = clock64();
    bool met = *there != 0;
    while (!met && *stop == 0 && static_cast<std::uint64_t>(clock64() - began) < meeting.patience) {
        __nanosleep(0);
        met = *there != 0;
    }
    if (first && met) *static_cast<volatile std::uint32_t*>(meeting.met) = 1;
    return met;
}

// False: told to stop before it came true.
template <class Condition>
PEERPROOF_DEVICE_ONLY inline bool wait_until(Condition is_true, const volatile std::uint32_t* stop) {
    for (unsigned looks = 1; !is_true(); ++looks) {
        between_looks();
        if (looks % looks_between == 0 && *stop != 0) return false;
    }
    return true;
}

// `left`, memory of the actor, must be zero when the kernel begins.
PEERPROOF_DEVICE_ONLY inline void leave_together(const Meeting& meeting, unsigned long long* left) {
    if (atomicAdd(left, 1ull) + 1 == size_of_grid()) *static_cast<volatile std::uint32_t*>(meeting.ended) = 1;
    if (first_of_grid() != 0) return;
    const volatile std::uint32_t* ended = meeting.others_ended;
    wait_until([&] { return *ended != 0; }, meeting.stop);
}
#endif

}  // namespace peerproof::kernels
