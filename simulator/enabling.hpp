// What has become of a window by switching it on and off in this process: the condition `enabling` of [[when]].
#pragma once

#include "simulator/layout.hpp"

namespace peerproof::simulated {

// What the driver's calls leave behind; `actor` has the window on the memory of `owner`.
void note_enabled(Control&, int actor, int owner);
void note_enabled_twice(Control&, int actor, int owner);
void note_disabled(Control&, int actor, int owner);

bool is(const Control&, Enabling, int actor, int owner);
// Off, and a rule says what it does all the same.
bool is_open_by_rule(const Control&, int actor, int owner);

}  // namespace peerproof::simulated
