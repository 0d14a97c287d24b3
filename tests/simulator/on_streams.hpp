// What the tests of capture and of graphs share: two GPUs with a stream, an event and memory each.
#pragma once

#include <algorithm>

#include "tests/simulator/run_probe.hpp"

namespace peerproof::simulated {

using Texts = std::vector<std::string>;

inline Texts operator+(Texts first, const Texts& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

// a on GPU 0 holds stamp 7, b on GPU 1 stamp 9; a stream and an event on each; GPU 1 is current.
inline const Texts two_gpus_with_streams{
    "malloc a 4096", "fill a 7", "sync",     "stream s0", "event e0", "enable 1", "set 1",
    "malloc b 4096", "fill b 9", "enable 0", "stream s1", "event e1", "sync"};

// The answers to the steps after these.
inline Answers answers_of(const std::string& bench, const Texts& steps) {
    const Ran ran = probe(bench, two_gpus_with_streams + steps);
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_EQ(ran.answers.size(), two_gpus_with_streams.size() + steps.size()) << ran.errors;
    const std::size_t before = std::min(two_gpus_with_streams.size(), ran.answers.size());
    return {ran.answers.begin() + static_cast<std::ptrdiff_t>(before), ran.answers.end()};
}

}  // namespace peerproof::simulated
