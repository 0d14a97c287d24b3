// The command that a person types to run one case again, without ctest and without a deadline.
#pragma once

#include <string>
#include <vector>

namespace peerproof::supervise {

// A word as a POSIX shell reads it back.
std::string shell_quoted(const std::string& word);

// Without the record, which only supervise can take; what CTest set in the environment is put in front.
std::string by_hand(const std::vector<std::string>& command);

}  // namespace peerproof::supervise
