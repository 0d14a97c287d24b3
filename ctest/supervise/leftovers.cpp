#include "ctest/supervise/leftovers.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include "session/format.hpp"

namespace peerproof::supervise {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds patience{200};

// True where there is no child left, not even one that still runs.
bool reaped_all() {
    while (true) {
        const pid_t process = ::waitpid(-1, nullptr, WNOHANG);
        if (process == 0) return false;
        if (process < 0 && errno != EINTR) return true;
    }
}

void kill_children() {
    const auto self = ::getpid();
    std::ifstream children{format("/proc/{0}/task/{0}/children", self)};
    for (pid_t process = 0; children >> process;) ::kill(process, SIGKILL);
}

}  // namespace

void end_leftovers() {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!reaped_all() && std::chrono::steady_clock::now() < until) {
        kill_children();  // again each time: the children of the dead come to us only now
        std::this_thread::sleep_for(milliseconds{1});
    }
}

}  // namespace peerproof::supervise
