// What a soak has come to: rounds of traffic between all GPUs until a time is over, every operation counted. The case
// soak.rounds keeps it in its record, which is written anew after each round, so that one that was killed shows what
// it had.
//
//   soak_text(soak)   // "10 min 02 s, 212 rounds, 4,211,000 operations, 12.3 TB verified, 0 wrong"
//
// An operation is one load or store by a kernel, or one copy, of some bytes that the owner of the memory has looked at.
// Reading is strict and throws FormatError (session/json.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/words.hpp"

namespace peerproof {

class Member;

inline constexpr std::size_t most_xids = 100;  // of a GPU that are kept

// What NVML and sysfs say of a GPU at one moment. What they do not say is not there, and `not_said` has the reason.
struct GpuHealth {
    int gpu = 0;                                  // plan index
    std::map<std::string, double> values;         // "temperature_c", "pcie_replays"
    std::map<std::string, std::string> not_said;  // by the same names
    std::vector<int> xids;                        // since the soak began, in the order in which they came
};

// Of one directed pair; the three numbers are of loads, stores and copies.
struct SoakPair {
    int source = 0, destination = 0;
    std::uint64_t bytes = 0;
    std::array<std::uint64_t, 3> operations{}, wrong{};

    std::uint64_t all_operations() const { return operations[0] + operations[1] + operations[2]; }
    std::uint64_t all_wrong() const { return wrong[0] + wrong[1] + wrong[2]; }
};

// The first operation of a pair that went wrong.
struct SoakWrong {
    std::string flow;  // "gpu0_to_gpu1 store"
    Outcome outcome{};
    std::string beside;                      // what else went on: "alone", "all pairs at once"
    std::uint64_t round = 0;                 // from 1
    std::uint64_t operation = 0;             // its number among those of the pair, from 1
    std::uint64_t operation_all = 0;         // and among all
    std::uint64_t bytes = 0, bytes_all = 0;  // that had arrived before it
    double seconds = 0;                      // since the soak began
    std::string detail;                      // what the owner found
    std::vector<GpuHealth> before, after;    // of its two GPUs, before and after the round
};

struct Soak {
    std::uint32_t seed = 0;  // of the order of each round
    int planned_s = 0;       // 0: one round
    double seconds = 0;
    std::uint64_t rounds = 0;  // that came to their end
    std::uint64_t operations = 0, bytes = 0, wrong = 0;
    std::string cut_short;  // why it ended before the time was over; empty where it did not
    std::vector<SoakPair> pairs;
    std::vector<SoakWrong> firsts;         // in the order in which they came
    std::vector<GpuHealth> before, after;  // of all GPUs: before the first round, and after the last
};

// One line for people: how long, how much, and the first that went wrong where one did.
std::string soak_text(const Soak&);
// The same of one wrong operation: "gpu0_to_gpu1 store, operation 1,402 of this pair (5,610 of all) after 3.1 GB and 41 s"
std::string wrong_text(const SoakWrong&);

// The failure rate that would show itself in so many clean operations with a probability of 95 %: 1 - 0.05^(1/n).
double rate_at_most(std::uint64_t clean_operations);
// The probability that a fault of one operation in so many shows itself in so many operations.
double chance_to_see(std::uint64_t one_in, std::uint64_t operations);

std::string with_commas(std::uint64_t number);  // "4,211,000"
std::string bytes_text(std::uint64_t bytes);    // "3.1 GB", "12.3 TB"

nlohmann::json to_json(const Soak&);
Soak soak_from(const Member& json);

}  // namespace peerproof
