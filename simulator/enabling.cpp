#include "simulator/enabling.hpp"

#include <algorithm>

#include "simulator/history.hpp"

namespace peerproof::simulated {
namespace {

// Bits of Control::enabling.
constexpr std::uint8_t was_off = 1, was_overtaken = 2, was_enabled_twice = 4;

bool is_on(const Control& control, int actor, int owner) {
    return control.enabled_at[actor][owner].load(std::memory_order_acquire) != 0;
}

}  // namespace

void note_enabled(Control& control, int actor, int owner) {
    // While the other side is shut, all that has gone between the two has gone through its window.
    const bool was_used = control.operations[actor][owner] != 0 || control.operations[owner][actor] != 0;
    if (is_on(control, owner, actor) && was_used) control.enabling[owner][actor] |= was_overtaken;
}

void note_enabled_twice(Control& control, int actor, int owner) {
    control.enabling[actor][owner] |= was_enabled_twice;
}

void note_disabled(Control& control, int actor, int owner) { control.enabling[actor][owner] = was_off; }

bool is(const Control& control, Enabling state, int actor, int owner) {
    const bool on = is_on(control, actor, owner);
    const std::uint8_t bits = control.enabling[actor][owner].load(std::memory_order_acquire);
    switch (state) {
        case Enabling::any:
            return true;
        case Enabling::off:
            return !on && (bits & was_off) != 0;
        case Enabling::on_again:
            return on && (bits & was_off) != 0;
        case Enabling::twice:
            return on && (bits & was_enabled_twice) != 0;
        case Enabling::overtaken:
            return on && (bits & was_overtaken) != 0;
        case Enabling::other_side_only:
            return !on && (bits & was_off) == 0 && is_on(control, owner, actor);
    }
    return false;
}

bool is_open_by_rule(const Control& control, int actor, int owner) {
    const Bench& bench = control.bench;
    return std::any_of(bench.whens, bench.whens + bench.when_count, [&](const When& when) {
        const bool is_of_shut = when.enabling == Enabling::off || when.enabling == Enabling::other_side_only;
        return is_of_shut && is(control, when.enabling, actor, owner) &&
               (is_of(when, actor, owner) || is_of(when, owner, actor));
    });
}

}  // namespace peerproof::simulated
