#include "simulator/visible.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace peerproof::simulated {
namespace {

std::string uuid_text(const Gpu& gpu) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", gpu.uuid[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits;
    }
    return text;
}

int gpu_named(const Bench& bench, const std::vector<int>& gpus, const std::string& entry) {
    if (entry.starts_with("GPU-")) {
        int found = -1;
        for (const int gpu : gpus) {
            if (!uuid_text(bench.gpus[gpu]).starts_with(entry)) continue;
            if (found != -1) return -1;
            found = gpu;
        }
        return found;
    }
    char* end = nullptr;
    const long index = std::strtol(entry.c_str(), &end, 10);
    if (end == entry.c_str() || *end != 0 || index < 0 || index >= static_cast<long>(gpus.size())) return -1;
    return gpus[static_cast<std::size_t>(index)];
}

}  // namespace

std::vector<int> visible_gpus(const Bench& bench, const std::vector<int>& gpus, const char* list) {
    if (list == nullptr) return gpus;
    std::vector<int> visible;
    std::string rest = list;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const int gpu = gpu_named(bench, gpus, rest.substr(0, comma));
        if (gpu == -1) break;
        if (std::find(visible.begin(), visible.end(), gpu) != visible.end()) return {};
        visible.push_back(gpu);
        rest.erase(0, comma + 1);
    }
    return visible;
}

}  // namespace peerproof::simulated
