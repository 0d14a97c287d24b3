// The part of sysfs that says how the GPUs of a bench are attached.
#pragma once

#include <string>

#include "simulator/bench.hpp"
#include "simulator/history.hpp"

namespace peerproof::simulated {

// Once a session, by whichever process comes first; others find it whole. Nothing where the bench has no
// sysfs.
void make_sysfs(const Bench& bench, const std::string& folder);

// Writes the links as they are under load, or idle, where the two differ.
void show_links(const Bench& bench, const std::string& folder, bool loaded);

// Writes what the kernel has counted of errors of the links (AER), where it has counted more since this process wrote
// it last.
void show_errors(const Bench& bench, const std::string& folder, const History& history);

}  // namespace peerproof::simulated
