// The CTest script of a plan: `conformance --emit-ctest` prints it, discover.cmake includes it at each start
// of ctest.
//
//   write(file, registration_script(plan, {.bin = "/opt/peerproof/bin", .session_folder =
//   "/out/20261201T..."}));
//
// The order of a session is in it: bench.open, then the controls, then the rest, then the closings, which as
// the clean-up of the fixture that the controls set up come after every other case, then `verdict`, which as
// the clean-up of the fixture that all require runs last whatever happened.
//
// What this is not: anything that looks at the machine. The plan says what there is.
#pragma once

#include <filesystem>
#include <string>

#include "session/plan.hpp"

namespace peerproof {

// Absolute paths.
struct RegistrationPaths {
    std::filesystem::path bin;                  // folder of supervise, conformance and peerproof-report
    std::filesystem::path session_folder;       // OUT/<session>
    std::filesystem::path simulated_libraries;  // lib/simulated; used for a simulated bench only
    std::filesystem::path bench;                // .toml file of the simulated bench; empty on a real one
    int grace_s = 5;                            // from SIGKILL until a process is given up
    std::filesystem::path baseline = {};        // file of what is expected; empty where that is a word
};

std::string registration_script(const Plan&, const RegistrationPaths&);

// Any text as one argument of a CMake script, in bracket form.
std::string cmake_argument(const std::string& text);

}  // namespace peerproof
