// The CTest script of a plan: `conformance --emit-ctest` prints it, discover.cmake includes it at each start
// of ctest.
//
//   write(file, registration_script(plan, {.bin = "/opt/peerproof/bin", .session_folder = "/out/2026..."}));
//
// The order of a session is in it: bench.open, the controls, the rest, the closings, `verdict`. The closings
// are the clean-up of the fixture that the controls set up, so they come after every other case; `verdict` is
// the clean-up of the fixture that all cases require, so it runs last whatever happened. A pure function: the
// plan says what there is.
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
