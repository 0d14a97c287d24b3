// What the main of a program does: runs it, and turns what it throws into a line and an exit code.
//
//   int main(int argc, char** argv) { return run_main("conformance", [&] { return run(argc, argv); }); }
//
// What the person gave (UsageError, FormatError) is exit_usage, anything else exit_no_verdict: nothing was
// decided. The line on standard error begins with the name.
#pragma once

#include <functional>

namespace peerproof {

int run_main(const char* name, const std::function<int()>& program);

}  // namespace peerproof
