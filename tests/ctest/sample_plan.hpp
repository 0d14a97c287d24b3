// A plan of two GPUs for the tests of this folder.
#pragma once

#include <string>

#include "session/plan.hpp"

namespace peerproof::sample {

inline Case make_case(const std::string& id, Family family, const std::string& check, std::vector<int> gpus) {
    Case one;
    one.id = id;
    one.test = "Core/Read.Arrives/" + place_name(gpus);
    one.family = family;
    one.check = check;
    one.gpus = std::move(gpus);
    one.accepted = {Outcome::delivered};
    one.gates = family != Family::evidence;
    one.title = check;
    return one;
}

inline Plan plan() {
    Plan plan;
    plan.session = "20261201T051500Z-3f2a9c";
    plan.run = 77;
    plan.suite = "0.1.0";
    plan.started = "2026-12-01T05:15:00Z";
    plan.simulated = "open-x2";
    plan.deadline_s = 20;
    for (int i = 0; i < 2; ++i) {
        Gpu gpu;
        gpu.index = i;
        gpu.uuid = "GPU-0000000" + std::to_string(i);
        gpu.bus_id = "0000:0" + std::to_string(i) + ":00.0";
        gpu.name = "GPU";
        gpu.compute_capability = "9.0";
        plan.gpus.push_back(gpu);
    }
    plan.cases = {make_case("control.alive.gpu0", Family::control, "alive", {0}),
                  make_case("core.read.gpu0_to_gpu1", Family::core, "read", {0, 1}),
                  make_case("core.read.gpu1_to_gpu0", Family::core, "read", {1, 0}),
                  make_case("evidence.staged_copy.gpu0_to_gpu1", Family::evidence, "staged_copy", {0, 1})};
    return plan;
}

}  // namespace peerproof::sample
