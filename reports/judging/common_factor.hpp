// What failing pairs have in common, in one sentence: one GPU, one direction, one operation.
//
//   common_factor(3, {{0, 2, "read"}, {2, 0, "read"}, {1, 2, "read"}, {2, 1, "read"}})
//       -> "every pair with gpu2 and no other; reads only"
#pragma once

#include <string>
#include <vector>

namespace peerproof {

struct Failure {
    int source = 0;
    int destination = 0;
    std::string check;
};

// Empty where there is no failure. Where nothing is common, the exact pairs.
std::string common_factor(int gpus, const std::vector<Failure>& failures);

}  // namespace peerproof
