#include "ctest/supervise/by_hand.hpp"

#include <cstdlib>

namespace peerproof::supervise {

std::string shell_quoted(const std::string& word) {
    constexpr auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
    quoted += '\'';
    return quoted;
}

std::string by_hand(const std::vector<std::string>& command) {
    std::string line;
    for (const char* name :
         {"LD_LIBRARY_PATH", "PEERPROOF_BENCH", "PEERPROOF_SIMULATED_STATE", "CUDA_DEVICE_ORDER"}) {
        const char* value = std::getenv(name);
        if (value != nullptr) line += std::string{name} + "=" + shell_quoted(value) + " ";
    }
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == "--record-fd") {
            ++i;  // nobody reads it
            continue;
        }
        if (i > 0) line += ' ';
        line += shell_quoted(command[i]);
    }
    return line;
}

}  // namespace peerproof::supervise
