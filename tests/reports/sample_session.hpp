// Whole and healthy sessions of n GPUs, for the tests and the benchmark of this room to spoil.
//
//   Session session = sample::open_session(3);
//   sample::record(session, "core.read.gpu0_to_gpu1").outcome = Outcome::wrong;
#pragma once

#include <filesystem>
#include <string>

#include "reports/reading/session_folder.hpp"

namespace peerproof::sample {

inline constexpr const char* session_id = "20261201T051500Z-3f2a9c";

Session open_session(int gpus);
// Reads and writes end in illegal addresses, copies are staged; locked is what was expected.
Session locked_session(int gpus);

// The all-reduces over NCCL of each two GPUs and of all, with their edges: as a bench of the session's kind has
// them.
void add_collective(Session& session);

// Every way on every directed pair: delivered on an open bench, an illegal address on a locked one.
void add_ways(Session& session);
// The call and the error of a way that was refused.
void refuse(Session& session, const std::string& case_id, const std::string& call, const std::string& error);

// The core checks asked again at the end: the first pair answers as it did, and of the rest nobody had to ask.
void add_again(Session& session);

// All GPUs at once: every flow of all_pairs delivered, 3.5 GB/s in sum; all_to_all and the ring as well.
void add_crowd(Session& session);

// Ten minutes of soak in which nothing was wrong: 600,000 operations of each pair.
void add_soak(Session& session);

// The links of the GPUs (Gen2 x4 each: 2.0 GB/s), and measurements well below that on all of them.
void add_measurements(Session& session);

// The question at the end of each GPU, whether it is still there.
void add_closing(Session& session);

// Throw std::logic_error where there is none.
Record& record(Session& session, const std::string& case_id);
Case& planned(Session& session, const std::string& case_id);

// The first measurement of a record; all that it says of its samples set to one value.
Measurement& measurement(Session& session, const std::string& case_id);
void set_median(Session& session, const std::string& case_id, double median);

// Gives the record an outcome and a step that fits it.
void observe(Session& session, const std::string& case_id, Outcome outcome);
void remove_record(Session& session, const std::string& case_id);

// What the other families add. Links: GPUs on Gen4 x16 ports of one root, odd ones on a Gen3 x4 riser; the
// first two bridged by NVLink too. Measurements: on every pair, gpu0_to_gpu1 beyond what its link can carry.
// Collective: a pair all-reduce by P2P, a pair all-reduce that took shared memory, and one of the whole bench.
void add_links(Session& session);
void add_every_measurement(Session& session);
void add_every_sum(Session& session);

// Every text that comes from outside replaced by this one.
void spoil_texts(Session& session, const std::string& text);

// Writes plan.json and records/ as the programs do.
void write(const Session& session, const std::filesystem::path& folder);

}  // namespace peerproof::sample
