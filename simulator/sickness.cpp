#include "simulator/sickness.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace peerproof::simulated {
namespace {

constexpr int launch_failure = 719;

std::string file_of(const std::string& state, int gpu) { return state + "/sick-" + std::to_string(gpu); }

}  // namespace

void fall_sick_again(Bench& bench, const std::string& state) {
    if (state.empty()) return;
    for (int gpu = 0; gpu < bench.count; ++gpu) {
        Gpu& each = bench.gpus[gpu];
        if (each.after_hang == AfterHang::recovers || access(file_of(state, gpu).c_str(), F_OK) != 0)
            continue;
        if (each.after_hang == AfterHang::errors)
            each.context_error = launch_failure;
        else
            each.is_sick = true;
    }
}

void remember_sickness(const Bench& bench, int gpu, const std::string& state) {
    if (state.empty() || bench.gpus[gpu].after_hang == AfterHang::recovers) return;
    const int file = open(file_of(state, gpu).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) close(file);
}

}  // namespace peerproof::simulated
