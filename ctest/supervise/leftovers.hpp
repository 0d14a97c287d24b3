// Ending what a finished check left running outside its process group.
#pragma once

namespace peerproof::supervise {

// SIGKILL for every child that we have (orphans come to us, the subreaper), for a short time only: one
// that does not end is left behind.
void end_leftovers();

}  // namespace peerproof::supervise
