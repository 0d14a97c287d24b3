#include "session/fingerprint.hpp"

#include <cstdint>

#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof {
namespace {

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : printable(text, 400); }

}  // namespace

Fingerprint fingerprint_of(const Plan& plan) {
    Fingerprint print;
    for (const char* name : {"driver", "kernel", "boot_id", "nccl"}) {
        const auto found = plan.environment.find(name);
        print[name] = found == plan.environment.end() ? "" : found->second;
    }
    // Where the kernel's module says nothing (a container), NVML does, and else the runtime.
    for (const Hint& hint : plan.hints) {
        if (hint.name == "driver_version" && print["driver"].empty()) print["driver"] = hint.value;
    }
    if (const auto cuda = plan.environment.find("driver_supports_cuda");
        cuda != plan.environment.end() && print["driver"].empty())
        print["driver"] = "one that supports CUDA " + cuda->second;
    std::string& gpus = print["gpus"];
    for (const Gpu& gpu : plan.gpus) gpus += format("{}{} {}", gpus.empty() ? "" : ", ", gpu.name, gpu.uuid);
    return print;
}

// FNV-1a, 64 bits: an aid for the eye and no seal.
std::string code_of(const Fingerprint& print) {
    std::uint64_t code = 0xcbf29ce484222325;
    const auto take = [&](const std::string& text) {
        for (const char c : text + '\0') code = (code ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    };
    for (const auto& [name, value] : print) {
        take(name);
        take(value);
    }
    return format("{:016x}", code);
}

std::vector<std::string> differences(const Fingerprint& there, const Fingerprint& here) {
    std::vector<std::string> lines;
    for (const auto& [name, value] : here) {
        const auto other = there.find(name);
        const std::string was = other == there.end() ? "" : other->second;
        if (was != value)
            lines.push_back(format("{}: {} there, {} here", name, or_unknown(was), or_unknown(value)));
    }
    return lines;
}

}  // namespace peerproof
