#include "simulator/unkillable.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace peerproof::simulated {
namespace {

constexpr unsigned bound_s = 30;  // then the helper ends, and with it the spell

}  // namespace

// A helper traces this process and never looks at what happens to it: the kernel then withholds our end from
// our parent until the helper ends. Forked twice, so that killing our children does not reach it.
void become_unkillable() {
    const pid_t self = getpid();
    int ready[2] = {-1, -1};
    if (pipe(ready) != 0) _exit(1);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    const pid_t child = fork();
    if (child == 0) {
        if (fork() != 0) _exit(0);
        setsid();
        dup2(ready[1], 0);
        syscall(SYS_close_range, 1u, ~0u, 0u);
        ptrace(PTRACE_SEIZE, self, nullptr, nullptr);
        close(0);
        sleep(bound_s);
        _exit(0);
    }
    close(ready[1]);
    waitpid(child, nullptr, 0);
    char unused;
    [[maybe_unused]] const ssize_t end = read(ready[0], &unused, 1);  // the helper holds us now
    for (;;) pause();
}

}  // namespace peerproof::simulated
