// What the simulated NVML answers from: the bench and the history of the simulated runtime in the same process.
#pragma once

#include "simulator/history.hpp"

extern "C" const peerproof::simulated::Bench* peerproof_simulated_bench_file(void);
extern "C" const peerproof::simulated::History* peerproof_simulated_history(void);

namespace peerproof::simulated {

inline const Bench& bench() { return *peerproof_simulated_bench_file(); }
inline const History& history() { return *peerproof_simulated_history(); }

}  // namespace peerproof::simulated
