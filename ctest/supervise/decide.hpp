// What the end of a child means for its case: pure, a table test covers it (tests/ctest/decide_test.cpp).
//
//   Decision decision = decide(plan, planned_case, end);
//   int code = exit_code_of(planned_case, decision.record, end);
//
// The record is the witness and the exit status must confirm it: where the two disagree, or where the record
// is of another case or session, nothing was decided (inconclusive). No record at all is a crash. What the
// owner had seen before the process hung or crashed, bytes that were not there, is still what was seen.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ctest/supervise/child.hpp"
#include "session/plan.hpp"
#include "session/record.hpp"

namespace peerproof::supervise {

// The record before anything is known. A reader that finds it so knows that supervise itself was ended.
Record started_record(const Plan&, const Case&);

struct Decision {
    Record record;             // all but `started` and `log`, which the caller adds
    bool text_unused = false;  // the child sent something that is no record of this case
};
// What a child says of its case while it still runs. None where the line is no record, or one of another case.
std::optional<Record> said_so_far(const Plan&, const Case&, std::string_view line);

Decision decide(const Plan&, const Case&, const ChildEnd&);

// The record of a case that was not started because of what an earlier one came to: nothing is known of it.
Record not_started_record(const Plan&, const Case&, const std::string& why);
// The record of a case that has nothing to ask in this session.
Record not_applicable_record(const Plan&, const Case&, const std::string& why);
// The record of a case that was not started because a control of its GPUs did not hold.
Record unruled_record(const Plan&, const Case&, const std::string& gap);

bool is_accepted(const Case&, Outcome);

// "hung", "crashed", "could not be killed": how the process of a record ended before its time, whatever it
// had seen until then. Empty where it came to its end, or was never started.
std::string how_it_broke_off(const Record&);

// The exit code of supervise. A case that does not gate is information: its findings exit 0.
int exit_code_of(const Case&, Outcome, const ChildEnd&);
// The same of a record: an all-reduce that NCCL refused because the capability bit says no has decided nothing.
int exit_code_of(const Case&, const Record&, const ChildEnd&);

// "SIGSEGV"
std::string signal_name(int number);

}  // namespace peerproof::supervise
