// The plan of the bench in sight: its GPUs, the libraries that it calls, every case. Listing, bench.open and
// a run by hand all make it by this one function, so that they cannot differ.
#pragma once

#include "session/plan.hpp"
#include "session/settings.hpp"

namespace peerproof {

// GPUs and environment; the cases follow once GoogleTest has made them from the GPUs. Throws NotSetUp when
// the runtime cannot say, UsageError when a simulated bench was asked for and another runtime answers, or the
// reverse.
Plan bench_in_sight(const Settings& settings, const std::string& session);

}  // namespace peerproof
