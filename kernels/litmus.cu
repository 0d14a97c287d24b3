#include "kernels/access.cuh"
#include "kernels/litmus.hpp"

namespace peerproof::kernels {
namespace {

PEERPROOF_DEVICE_ONLY inline void write_message(const Litmus& run, std::uint64_t slot) {
    std::uint64_t* flag = run.y + slot * run.stride;
    const std::uint64_t raised = word_of(run.new_y, slot);
    store_data(run.x + slot * run.stride, word_of(run.new_x, slot));
    if (run.fences != 0) {
        fence_system();
        raise_flag(flag, raised);
    } else {
        store_flag(flag, raised);
    }
}

// Waits for the flag of a message. False: told to stop, or the writer has stored everything, says so, and a good many
// looks later the flag has not come: it counts that in vain.
template <class IsRaised>
PEERPROOF_DEVICE_ONLY inline bool wait_for_flag(const Litmus& run, IsRaised is_raised,
                                                const Meeting& meeting) {
    constexpr unsigned patience = 64;  // times looks_between: about a second on a GPU
    const volatile std::uint32_t *stop = meeting.stop, *writer_ended = meeting.others_ended;
    unsigned in_vain = 0;
    for (unsigned looks = 1; !is_raised(); ++looks) {
        between_looks();
        if (looks % looks_between != 0) continue;
        if (*stop != 0) return false;
        if (*writer_ended == 0 || ++in_vain < patience) continue;
        atomicAdd(reinterpret_cast<unsigned long long*>(run.seen + run.slots + 1), 1ull);
        return false;
    }
    return true;
}

PEERPROOF_DEVICE_ONLY inline bool read_message(const Litmus& run, std::uint64_t slot,
                                               const Meeting& meeting) {
    const std::uint64_t* flag = run.y + slot * run.stride;
    const std::uint64_t raised = word_of(run.new_y, slot);
    const bool fences = run.fences != 0;
    const auto is_raised = [&] { return (fences ? poll_flag(flag) : load_flag(flag)) == raised; };
    if (!wait_for_flag(run, is_raised, meeting)) return false;
    if (fences) fence_system();
    run.seen[slot] = load_data(run.x + slot * run.stride);
    return true;
}

// Both sides are about to begin the same slot, the thread's `number`th.
PEERPROOF_DEVICE_ONLY inline bool keep_in_step(const Litmus& run, std::uint64_t number,
                                               const std::uint32_t* stop) {
    const std::uint64_t at = first_of_grid() * step_words;
    store_flag(run.peers_steps + at, number);
    return wait_until([&] { return load_flag(run.own_steps + at) >= number; }, stop);
}

PEERPROOF_DEVICE_ONLY inline void race(const Litmus& run, std::uint64_t slot) {
    const bool first = run.side == 0, stores_first = run.shape == Shape::store_buffering;
    std::uint64_t *x = run.x + slot * run.stride, *y = run.y + slot * run.stride;
    const bool stores_x = first == stores_first;
    std::uint64_t *stored = stores_x ? x : y, *loaded = stores_x ? y : x;
    const std::uint64_t value = word_of(stores_x ? run.new_x : run.new_y, slot);
    std::uint64_t seen = 0;
    if (stores_first) {
        store_data(stored, value);
        fence_system();
        seen = load_data(loaded);
    } else {
        seen = load_data(loaded);
        fence_system();
        store_data(stored, value);
    }
    run.seen[slot] = seen;
}

PEERPROOF_DEVICE_ONLY inline bool one_slot(const Litmus& run, std::uint64_t slot, std::uint64_t number,
                                           const Meeting& meeting) {
    if (run.in_step != 0 && !keep_in_step(run, number, meeting.stop)) return false;
    if (run.shape != Shape::message_passing)
        race(run, slot);
    else if (run.side == 0)
        write_message(run, slot);
    else
        return read_message(run, slot, meeting);
    return true;
}

}  // namespace

PEERPROOF_KERNEL void litmus(Litmus run, Meeting meeting) {
    const bool met = meet(meeting);
    bool goes_on = met;
    std::uint64_t number = 0;
    for (std::size_t slot = first_of_grid(); goes_on && slot < run.slots; slot += size_of_grid())
        goes_on = one_slot(run, slot, ++number, meeting);
    if (met) leave_together(meeting, reinterpret_cast<unsigned long long*>(run.seen + run.slots));
}

PEERPROOF_KERNEL void set_slots(std::uint64_t* words, std::uint64_t stride, std::uint64_t slots,
                                std::uint64_t stamp) {
    for (std::size_t slot = first_of_grid(); slot < slots; slot += size_of_grid())
        words[slot * stride] = word_of(stamp, slot);
}

PEERPROOF_KERNEL void get_slots(std::uint64_t* own, const std::uint64_t* words, std::uint64_t stride,
                                std::uint64_t slots) {
    const volatile std::uint64_t* memory = words;
    for (std::size_t slot = first_of_grid(); slot < slots; slot += size_of_grid())
        own[slot] = memory[slot * stride];
}

PEERPROOF_SIMULATE(litmus)
PEERPROOF_SIMULATE(set_slots)
PEERPROOF_SIMULATE(get_slots)

}  // namespace peerproof::kernels
