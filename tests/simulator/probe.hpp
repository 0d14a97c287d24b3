// What the files of the probe share: steps by name, and the pointers that stand behind names.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace peerproof::probe {

using Words = std::vector<std::string>;
using Steps = std::map<std::string, std::function<std::string(const Words&)>>;

Steps ipc_steps();
Steps vmm_steps();
Steps pool_steps();
Steps copy_steps();
Steps graph_steps();  // and work on streams
Steps health_steps();

struct Pointer {
    void* address = nullptr;
    std::size_t bytes = 0;
};
std::map<std::string, Pointer>& pointers();
extern std::map<std::string, cudaStream_t> streams;
extern std::map<std::string, cudaEvent_t> events;
extern cudaStream_t current_stream;  // of launches, records and waits

// Of the words of a step.
std::uint64_t number(const Words& words, std::size_t i, std::uint64_t otherwise = 0);
int integer(const Words& words, std::size_t i);
Pointer& pointer(const Words& words, std::size_t i);

std::uint64_t* at(const Pointer& pointer, std::uint64_t offset);
std::string with(int error, const std::string& value);  // the value only where there is no error

// Bytes as text, for the command line of another process.
std::string hex_of(const void* bytes, std::size_t count);
void bytes_of(const std::string& hex, void* into, std::size_t count);
// A descriptor of the file that another process calls /proc/PID/fd/N, or of any other.
int descriptor_at(const std::string& path);

}  // namespace peerproof::probe
