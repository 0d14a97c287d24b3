#include "ctest/supervise/start.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace peerproof::supervise {

namespace {

struct Pipe {
    Descriptor read;
    Descriptor write;
};

Pipe make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
    return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

// It carries both ways: what supervise answers on it says that a record is on disk.
Pipe make_socket_pair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error{errno, std::generic_category(), "socketpair"};
    return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

void must_not_block(const Descriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

// CTest and the shell may have left descriptors open in us; a check that held one of them would keep its
// reader waiting. Close-on-exec rather than closed, since exec_error is among them until exec succeeds.
void close_on_exec_from(int first) {
#if defined(SYS_close_range) && defined(CLOSE_RANGE_CLOEXEC)
    if (::syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
#endif
    DIR* folder = ::opendir("/proc/self/fd");
    if (folder == nullptr) return;
    while (const dirent* entry = ::readdir(folder)) {
        const int number = std::atoi(entry->d_name);
        if (number >= first) ::fcntl(number, F_SETFD, FD_CLOEXEC);
    }
    ::closedir(folder);
}

[[noreturn]] void become(const std::vector<std::string>& command, int output, int record, int exec_error,
                         const sigset_t& mask, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // supervise died before the line above

    // First out of the way of 0..3, or one pipe could overwrite another.
    output = ::fcntl(output, F_DUPFD_CLOEXEC, 10);
    exec_error = ::fcntl(exec_error, F_DUPFD_CLOEXEC, 10);
    if (record >= 0) record = ::fcntl(record, F_DUPFD_CLOEXEC, 10);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, 0);
    ::dup2(output, 1);
    ::dup2(output, 2);
    if (record >= 0) ::dup2(record, record_descriptor);
    close_on_exec_from(record >= 0 ? record_descriptor + 1 : record_descriptor);

    for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);  // ignored in us
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    const int reason = errno;
    [[maybe_unused]] const auto told = ::write(exec_error, &reason, sizeof reason);
    ::_exit(1);
}

}  // namespace

Started start(const std::vector<std::string>& command, bool with_record, const sigset_t& mask) {
    Pipe output = make_pipe();
    Pipe record = with_record ? make_socket_pair() : Pipe{Descriptor{}, Descriptor{}};
    Pipe exec_error = make_pipe();

    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) throw std::system_error{errno, std::generic_category(), "fork"};
    if (process == 0) {
        become(command, output.write.get(), record.write.get(), exec_error.write.get(), mask, parent);
    }
    ::setpgid(process, process);  // also here: whoever comes first, the group exists before it is killed

    must_not_block(output.read);
    must_not_block(exec_error.read);
    if (with_record) must_not_block(record.read);
    return {process, std::move(output.read), std::move(record.read), std::move(exec_error.read)};
}

}  // namespace peerproof::supervise
