// Fuzzes the files that people and CI name: what is expected (TOML by hand, report.json of a run), and the
// two sides of a comparison. The first byte says which. Nothing may crash, and nothing but FormatError be
// thrown.
//
//   build/fuzz/bin/fuzz_expectations -max_total_time=600 CORPUS build/fuzz/seeds
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/commands/ctest_output.hpp"
#include "reports/many_sessions/comparison.hpp"
#include "session/baseline.hpp"
#include "session/json.hpp"

using namespace peerproof;

namespace {

Plan bench() {
    Plan plan{.session = "fuzz", .suite = "0.1.0", .started = "2026-12-01T05:15:00Z"};
    for (int i = 0; i < 2; ++i)
        plan.gpus.push_back(
            {i, "GPU-" + std::to_string(i), "0000:01:00." + std::to_string(i), "GPU", 64, "9.0"});
    for (const char* check : {"copy", "read", "write"}) {
        for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 0}})
            plan.cases.push_back({std::string("core.") + check + "." + place_name({a, b}),
                                  "T",
                                  Family::core,
                                  check,
                                  {a, b},
                                  {Outcome::delivered},
                                  {},
                                  true,
                                  check});
    }
    return plan;
}

AcceptedIfLocked if_locked(const Plan& plan) {
    AcceptedIfLocked all;
    for (const Case& one : plan.cases) all[one.id] = {Outcome::illegal_address};
    return all;
}

// Whatever the file says, only what is honest is accepted afterwards.
void check(const Plan& plan) {
    for (const Case& one : plan.cases) {
        if (one.accepted.empty()) std::abort();
        for (const Outcome outcome : one.accepted) {
            if (outcome != Outcome::delivered && outcome != Outcome::illegal_address &&
                outcome != Outcome::refused)
                std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string file =
        "/dev/shm/peerproof-fuzz-" + std::to_string(::getpid()) + (data[0] % 3 == 0 ? ".toml" : ".json");
    std::ofstream(file, std::ios::binary) << text;
    try {
        if (data[0] % 3 == 2) {
            const Judged judged = read_judged(file);
            const Comparison comparison = compare(judged, judged);
            if (comparison.worse()) std::abort();  // nothing is worse than itself
            (void)comparison_html(comparison);
        } else {
            Plan plan = bench();
            expect_as_in(file, if_locked(plan), plan);
            check(plan);
        }
    } catch (const FormatError&) {}
    CtestOutput output;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        (void)output.take(std::string_view(text).substr(at, end - at));
        at = end + 1;
    }
    (void)output.finish();
    return 0;
}
