// Whole and healthy sessions of n cards, for the tests and the benchmark of this room to spoil.
//
//   Session session = sample::open_session(3);
//   sample::record(session, "core.read.gpu0_to_gpu1").outcome = Outcome::wrong;
#pragma once

#include <filesystem>
#include <string>

#include "reports/session.hpp"

namespace peerproof::sample {

inline constexpr const char* session_id = "20261201T051500Z-3f2a9c";

Session open_session(int gpus);
// Reads and writes end in illegal addresses, copies are staged; locked is what was expected.
Session locked_session(int gpus);

// The sums over NCCL of each two cards and of all, with their edges: as a bench of the session's kind has
// them.
void add_collective(Session& session);

// The links of the cards (Gen2 x4 each: 2.0 GB/s), and figures well below that on all of them.
void add_figures(Session& session);

// Throw std::logic_error where there is none.
Record& record(Session& session, const std::string& case_id);
Case& planned(Session& session, const std::string& case_id);

// Gives the record an outcome and a step that fits it.
void observe(Session& session, const std::string& case_id, Outcome outcome);
void remove_record(Session& session, const std::string& case_id);

// Writes plan.json and records/ as the programs do.
void write(const Session& session, const std::filesystem::path& folder);

}  // namespace peerproof::sample
