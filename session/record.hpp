// The record of one case: what was done and what was seen. The child sends its part through a pipe;
// supervise adds how the process ended and writes <session folder>/records/<case id>.json.
//
// JSON, schema "peerproof.record/4" (3 and 2 are read as well; example in session/README.md). Reading is strict and
// throws FormatError. Bytes of device memory appear as hex text only. Texts are cut to the sizes below by the
// writer.
//
// Whether an outcome was to be expected is the plan's and the judge's matter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "session/links.hpp"
#include "session/soak.hpp"
#include "session/words.hpp"

namespace peerproof {

inline constexpr std::size_t record_log_limit = 16 * 1024;     // bytes of the child's output kept in a record
inline constexpr std::size_t record_file_limit = 1024 * 1024;  // a larger record file is not read

// One transfer of a case (the word, a block, a sweep), or one act of a control.
struct Step {
    std::string name;  // "word", "block", "large", "sweep", "sweep_out"
    Outcome outcome{};
    std::uint64_t bytes = 0;  // that should have arrived
    // Of a sweep: how much of the memory behind the window lies between its first and its last word, and how
    // much memory the GPU has. 0 for other steps.
    std::uint64_t reached_bytes = 0;
    std::uint64_t memory_bytes = 0;
    std::string call;       // API call that failed: "cudaDeviceSynchronize"; empty if none
    std::string error;      // "700 cudaErrorIllegalAddress"; empty if none
    std::string diagnosis;  // one of the words below; empty when delivered
    std::string detail;     // one sentence for a person
    std::uint64_t mismatched_words = 0;
    std::uint64_t first_offset = 0;  // bytes; meaningful when mismatched_words > 0
    std::string expected_hex;        // the 8-byte word there: "0x0123456789abcdef"
    std::string found_hex;
    double seconds = 0;  // of the act, host clock; never evidence
};

// Diagnoses: "poison intact", "zeros", "all ones", "another stamp", "stale stamp", "shifted", "mirror",
// "source changed", "beside", "corrupt", "api error", "not set up"; of measurements that could not be taken
// "not at once", "slow".

// What the driver says of a pair. A hint never decides.
struct Hint {
    std::string name;   // "can_access_peer", "enable_peer_access"
    int gpu = 0;        // plan index of the GPU that would access; none where it is of the whole machine
    int peer = none;    // plan index of the GPU that would be accessed; none where it is of one GPU
    std::string value;  // "1", "0", "0 cudaSuccess", "101 cudaErrorInvalidDevice"; "unknown: WHY"
    // Where it was read: "cudaDeviceCanAccessPeer", "nvmlDeviceGetP2PStatus", a file of /sys.
    std::string source;

    static constexpr int none = -1;
};

// What was measured, over repeated samples of the same amount of bytes. It stands only where the outcome of
// the case is delivered: a number whose bytes are not there is no measurement.
struct Measurement {
    std::string name;  // "kernel_read", "ping_pong": the check, and a direction where it has several
    std::string unit;  // "GB/s" (1e9), "us"
    std::vector<double> samples;  // in the order of measuring; at most measurement_sample_limit
    double median = 0, least = 0, most = 0, p5 = 0, p95 = 0;
    double variation = 0;         // standard deviation / mean
    std::uint64_t bytes = 0;      // of one sample; 0 for a latency
    double shortest_seconds = 0;  // the shortest sample
};
inline constexpr std::size_t measurement_sample_limit = 256;

// One directed edge of a collective, as NCCL's own log has it.
struct Edge {
    int from = 0;  // plan indices
    int to = 0;
    std::string path;  // "P2P/direct pointer", "SHM/direct/direct", "NET/Socket/0"
    int channels = 0;  // that take it
};

struct Record {
    std::string session;
    std::string case_id;
    std::string test;
    Family family{};
    std::string check;
    std::vector<int> gpus;
    std::optional<std::string> simulated;
    bool finished = false;  // false: supervise started the case and was itself ended before it could say more
    Outcome outcome{};
    std::string summary;  // one line for a person
    std::vector<Step> steps;
    std::vector<Hint> hints;
    std::vector<Measurement> measurements;
    std::vector<LinkUnderLoad> links;  // read while a measurement was taken
    std::vector<Edge> edges;
    std::optional<Soak> soak;  // of soak.rounds
    // Added by supervise:
    std::string started;           // UTC, ISO 8601
    double seconds = 0;            // wall time of the child
    std::optional<int> exit_code;  // of the child, if it exited
    std::optional<int> signal;     // that ended the child, if one did
    std::string log;               // last bytes of the child's output, as valid UTF-8
};

// An all-reduce that NCCL refused because the capability bit said no: it takes the driver's word for it and tries no
// path. Nothing was seen of the path itself.
bool was_refused_by_the_bit(const Record&);

nlohmann::json to_json(const Hint&);
Hint hint_from(const Member&);
nlohmann::json to_json(const Record&);
Record record_from_json(const nlohmann::json&, std::string_view origin);
Record read_record(const std::filesystem::path& file);

}  // namespace peerproof
