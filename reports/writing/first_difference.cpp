#include "reports/writing/first_difference.hpp"

#include "reports/reading/plain_text.hpp"
#include "session/format.hpp"

namespace peerproof {

std::string first_difference(const Step& step) {
    const std::string expected = one_line(step.expected_hex, 32), found = one_line(step.found_hex, 32);
    const std::string where = format("first at offset {:#x}: ", step.first_offset);
    return where + (expected.empty() ? "" : format("expected {}, ", expected)) + "found " + found;
}

}  // namespace peerproof
