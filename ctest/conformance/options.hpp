// The command line of `conformance` (session/README.md has the four forms).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace peerproof {

struct Options {
    std::filesystem::path emit_ctest;  // list the bench into this CTest script
    std::filesystem::path open;        // make this session folder and its plan
    std::filesystem::path plan;        // run one case of this plan
    std::filesystem::path out;         // where sessions go; with --emit-ctest
    std::string session;
    std::vector<std::string> listed;  // UUIDs that the listing saw; with --open
    int record_fd = -1;
    int second_process = -1;             // a case's second process: its end of the socket between them
    std::vector<std::string> for_gtest;  // what is left for GoogleTest, the program's name first
};

// Exits by itself for --help and for what is wrong (64).
Options parse_options(int argc, char** argv);

}  // namespace peerproof
