#include "simulator/sickness.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace peerproof::simulated {
namespace {

constexpr int launch_failure = 719;

std::string file_of(const std::string& state, int card) { return state + "/sick-" + std::to_string(card); }

}  // namespace

void fall_sick_again(Bench& bench, const std::string& state) {
    if (state.empty()) return;
    for (int card = 0; card < bench.count; ++card) {
        Card& each = bench.cards[card];
        if (each.after_hang == AfterHang::recovers || access(file_of(state, card).c_str(), F_OK) != 0)
            continue;
        if (each.after_hang == AfterHang::errors)
            each.context_error = launch_failure;
        else
            each.is_sick = true;
    }
}

void remember_sickness(const Bench& bench, int card, const std::string& state) {
    if (state.empty() || bench.cards[card].after_hang == AfterHang::recovers) return;
    const int file = open(file_of(state, card).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) close(file);
}

}  // namespace peerproof::simulated
