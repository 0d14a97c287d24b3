#include "reports/judging/access.hpp"

#include <algorithm>

namespace peerproof {

bool came_part_of_the_way(const Record& record) {
    return record.outcome != Outcome::delivered &&
           std::any_of(record.steps.begin(), record.steps.end(),
                       [](const Step& step) { return step.outcome == Outcome::delivered; });
}

bool is_closed(const Ledger::Entry& entry) {
    return entry.is(Outcome::illegal_address) && !came_part_of_the_way(*entry.record);
}

}  // namespace peerproof
