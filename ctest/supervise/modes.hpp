// The two modes of supervise, from the parsed command line to the exit code.
#pragma once

#include "ctest/supervise/options.hpp"

namespace peerproof::supervise {

int supervise_case(const Options&);   // one planned case, with its record
int supervise_plain(const Options&);  // the deadline alone

}  // namespace peerproof::supervise
