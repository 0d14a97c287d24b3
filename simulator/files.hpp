// The files whose memory a GPU process maps: the store, and those of other processes, which it opens through the
// calling process when a kernel first wants them.
#pragma once

#include "simulator/layout.hpp"

namespace peerproof::simulated {

void use_files_of(const Control&);
int descriptor_of(int file);  // -1 where it cannot be opened

}  // namespace peerproof::simulated
