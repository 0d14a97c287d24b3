#include "simulator/paths.hpp"

namespace peerproof::simulated {
namespace {

// The next GPU that is no party to the pair; where there is none, nowhere.
std::uint64_t neighbour_place(const Bench& bench, int actor, int owner) {
    for (int step = 1; step < bench.count; ++step) {
        const int gpu = (owner + step) % bench.count;
        if (gpu != actor && gpu != owner) return place_of(gpu);
    }
    return nowhere_place(actor);
}

}  // namespace

std::uint64_t place_through(const Bench& bench, Store store, int actor, int owner, std::uint64_t offset) {
    switch (store) {
        case Store::own:
            return place_of(actor) + offset;
        case Store::neighbour:
            return neighbour_place(bench, actor, owner) + offset;
        case Store::shadow:
            return shadow_place(actor, owner) + offset;
        case Store::shifted:
            return place_of(owner) + offset + shift_bytes;
        default:
            return place_of(owner) + offset;
    }
}

std::uint64_t place_through(const Bench& bench, Load load, int actor, int owner, std::uint64_t offset) {
    switch (load) {
        case Load::own:
            return place_through(bench, Store::own, actor, owner, offset);
        case Load::neighbour:
            return place_through(bench, Store::neighbour, actor, owner, offset);
        case Load::shadow:
            return place_through(bench, Store::shadow, actor, owner, offset);
        case Load::shifted:
            return place_through(bench, Store::shifted, actor, owner, offset);
        default:
            return place_of(owner) + offset;
    }
}

}  // namespace peerproof::simulated
