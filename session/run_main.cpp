#include "session/run_main.hpp"

#include <cstdio>
#include <exception>

#include "session/exit_code.hpp"
#include "session/json.hpp"
#include "session/settings.hpp"

namespace peerproof {
namespace {

int say(const char* name, const std::exception& reason, ExitCode code) {
    std::fprintf(stderr, "%s: %s\n", name, reason.what());
    return code;
}

}  // namespace

int run_main(const char* name, const std::function<int()>& program) {
    try {
        return program();
    } catch (const UsageError& reason) {
        return say(name, reason, exit_usage);
    } catch (const FormatError& reason) {
        return say(name, reason, exit_usage);
    } catch (const std::exception& reason) {
        return say(name, reason, exit_no_verdict);
    }
}

}  // namespace peerproof
