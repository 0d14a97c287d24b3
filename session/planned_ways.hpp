// Which ways a session takes, and which of them it requires, in its plan.
//
//   keep_ways(plan, {"ipc", "vmm"}, "PEERPROOF_WAYS");
//   require_ways(plan, {"ipc"});          // once the plan says what is expected
//
// A required way must deliver on every pair: its cases accept nothing else, and gate.
#pragma once

#include <string>
#include <vector>

#include "session/plan.hpp"

namespace peerproof {

// Throws std::logic_error where a case of the family way is of none that ways.hpp names, or has another number.
void need_known_ways(const std::vector<Case>& cases);

// Takes out the cases of all other ways; plan.not_run says which these are, and why.
void keep_ways(Plan& plan, const std::vector<std::string>& wanted, const std::string& why);

// Throws UsageError where a required way has no case, or where it is expected not to deliver.
void require_ways(Plan& plan, const std::vector<std::string>& required);

}  // namespace peerproof
