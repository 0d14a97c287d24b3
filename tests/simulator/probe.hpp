// What the steps of the probe share.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace peerproof::simulated {

struct Pointer {
    void* address = nullptr;
    std::size_t bytes = 0;
};
extern std::map<std::string, Pointer> pointers;
extern std::map<std::string, cudaStream_t> streams;
extern std::map<std::string, cudaEvent_t> events;
extern cudaStream_t current_stream;  // of launches, records and waits

using Words = std::vector<std::string>;
using Steps = std::map<std::string, std::function<std::string(const Words&)>>;

inline std::uint64_t number(const Words& words, std::size_t i, std::uint64_t otherwise = 0) {
    return i < words.size() ? std::strtoull(words[i].c_str(), nullptr, 0) : otherwise;
}
inline int integer(const Words& words, std::size_t i) { return static_cast<int>(number(words, i)); }
inline Pointer& pointer(const Words& words, std::size_t i) { return pointers[words.at(i)]; }

std::string with(cudaError_t error, const std::string& value);  // the value where there is no error

const Steps& graph_steps();  // streams, capture, graphs

}  // namespace peerproof::simulated
