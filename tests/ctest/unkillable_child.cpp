// A process that SIGKILL does not take from its parent's sight, as one that waits in the driver: a helper
// outside its process group traces it and does not collect its end, so the kernel withholds that end from the
// parent.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    const pid_t checked = ::getpid();
    int ready[2];
    if (::pipe(ready) != 0) return 3;
    const pid_t between = ::fork();
    if (between == 0) {
        if (::fork() != 0) ::_exit(0);
        ::setsid();
        const bool traced = ::ptrace(PTRACE_SEIZE, checked, nullptr, nullptr) == 0;
        if (::write(ready[1], traced ? "y" : "n", 1) != 1) ::_exit(1);
        for (int number = 0; number < 64; ++number) ::close(number);
        ::sleep(4);
        ::_exit(0);
    }
    ::waitpid(between, nullptr, 0);
    char answer = 'n';
    if (::read(ready[0], &answer, 1) != 1 || answer != 'y') return 3;  // this machine forbids tracing
    while (true) ::pause();
}
