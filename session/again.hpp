// The core checks that are asked once more when everything else has run, in fresh processes and outside the signature.
//
//   put_soak_behind_the_rest(plan);
//   put_again_last(plan);                          // once the plan has all its cases
//   pairs_to_ask_again(plan, outcomes)              // {"gpu0_to_gpu1", ...}, when the core checks have run
//
// Asked are the first pair, and every pair that has a GPU in common with a core check that hung or failed. A bench whose
// reads and writes are all closed has not failed: it is as it is, and its first pair says whether it still is.
#pragma once

#include <map>
#include <set>
#include <string>

#include "session/plan.hpp"

namespace peerproof {

// Makes the soak come after everything that is not control, again or closing. To be called first: the cases that are
// asked again wait for it.
void put_soak_behind_the_rest(Plan& plan);

// Makes the first of the cases come after all others but the closings, and the rest after that one.
void put_again_last(Plan& plan);

// The pairs, by place ("gpu0_to_gpu1"), that are to be asked again. `outcomes` has those core cases that came to one.
std::set<std::string> pairs_to_ask_again(const Plan& plan, const std::map<std::string, Outcome>& outcomes);

}  // namespace peerproof
