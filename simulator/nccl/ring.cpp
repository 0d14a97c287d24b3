#include "simulator/nccl/ring.hpp"

#include <unistd.h>

#include "simulator/device.hpp"

namespace peerproof::simulated {
namespace {

// There may be fewer processors than ranks, and some waits never end: each look comes later than the one before.
class Pause {
  public:
    void take() {
        ::usleep(us_);
        us_ = us_ < most_us ? 2 * us_ : us_;
    }

  private:
    static constexpr unsigned most_us = 2000;
    unsigned us_ = 50;
};

std::uint32_t* elements_of(Mailbox* box, std::uint64_t count, bool result) {
    return reinterpret_cast<std::uint32_t*>(box + 1) + (result ? count : 0);
}

// False where the wait was aborted.
bool wait_for(const std::uint32_t& flag, const RingPlace& place) {
    const volatile std::uint32_t* memory = &flag;
    Pause pause;
    while (*memory != place.operation) {
        if (*place.abort != 0) return false;
        pause.take();
    }
    __threadfence_system();
    return true;
}

void post(std::uint32_t& flag, const RingPlace& place) {
    __threadfence_system();
    volatile std::uint32_t* memory = &flag;
    *memory = place.operation;
}

void move(std::uint32_t* to, const std::uint32_t* from, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) to[i] = from[i];
}

// What a liar makes of its own result. `before` is what lay there.
void spoil(const std::uint32_t* in, std::uint32_t* out, const std::uint32_t* before, std::uint64_t count,
           const RingPlace& place) {
    using Spoils = RingPlace::Spoils;
    const std::uint64_t first = place.spoils == Spoils::wrong_tail ? count - count / 4 : 0;
    for (std::uint64_t i = first; place.spoils != Spoils::nothing && i < count; ++i) {
        if (place.spoils == Spoils::writes_nothing)
            out[i] = before[i];
        else
            out[i] += place.spoils == Spoils::doubles_own ? in[i] : 0 - in[i];
    }
}

// The partial sum goes from rank 0 to the last, the result from the last by rank 0 to the one before the
// last. False where a wait was aborted.
bool pass_round(const std::uint32_t* in, std::uint32_t* out, Mailbox* own, Mailbox* next, std::uint64_t count,
                const RingPlace& place) {
    const std::uint32_t last = place.ranks - 1;
    if (place.rank > 0 && !wait_for(own->sum_ready, place)) return false;
    std::uint32_t* before = elements_of(own, count, false);
    std::uint32_t* onward = place.rank == last ? out : elements_of(next, count, false);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t sum = (place.rank > 0 ? before[i] : 0) + place.times * in[i];
        before[i] = out[i];  // nobody reads the partial sum again
        onward[i] = sum;
    }
    if (place.rank != last) {
        post(next->sum_ready, place);
        if (!wait_for(own->result_ready, place)) return false;
        move(out, elements_of(own, count, true), count);
    }
    // The rank before the last has it from the one before itself, and nobody waits behind it.
    if (place.rank + 1 == last) return true;
    move(elements_of(next, count, true), out, count);
    post(next->result_ready, place);
    return true;
}

}  // namespace

void ring_sum(const std::uint32_t* in, std::uint32_t* out, Mailbox* own, Mailbox* next, std::uint64_t count,
              RingPlace place) {
    if (place.ranks == 1) return move(out, in, count);
    if (pass_round(in, out, own, next, count, place))
        spoil(in, out, elements_of(own, count, false), count, place);
}

void ring_send(const std::uint32_t* in, Mailbox* next, std::uint64_t count, RingPlace place) {
    move(elements_of(next, count, false), in, count);
    post(next->sum_ready, place);
}

void ring_receive(std::uint32_t* out, Mailbox* own, std::uint64_t count, RingPlace place) {
    if (wait_for(own->sum_ready, place) && place.spoils != RingPlace::Spoils::writes_nothing)
        move(out, elements_of(own, count, false), count);
}

void ring_wait(RingPlace place) {
    Pause pause;
    while (*place.abort == 0) pause.take();
}

PEERPROOF_SIMULATE(ring_sum)
PEERPROOF_SIMULATE(ring_send)
PEERPROOF_SIMULATE(ring_receive)
PEERPROOF_SIMULATE(ring_wait)

}  // namespace peerproof::simulated
