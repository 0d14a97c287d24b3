// The directed pairs that a table of a bench means: "*" is -1 and stands for every GPU.
#pragma once

#include "simulator/bench.hpp"

namespace peerproof::simulated {

template <class Change>
void for_each_path(Bench& bench, int from, int to, Change change) {
    for (int i = 0; i < bench.count; ++i) {
        for (int j = 0; j < bench.count; ++j) {
            if (i != j && is_meant(from, i) && is_meant(to, j)) change(bench.paths[i][j]);
        }
    }
}

}  // namespace peerproof::simulated
