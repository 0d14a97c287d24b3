// supervise: runs one program under a deadline and says how it ended (session/README.md).
//
// It must not use CUDA: it has to outlive whatever a check does to the driver.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "ctest/supervise/modes.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/run_main.hpp"

namespace {

// A pipe of ours must not become somebody's standard output because we were started without one.
void open_standard_descriptors() {
    int number = ::open("/dev/null", O_RDWR);
    while (number >= 0 && number <= STDERR_FILENO) number = ::dup(number);
    if (number >= 0) ::close(number);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace peerproof;
    open_standard_descriptors();
    ::signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes an error with a text
    ::signal(SIGPIPE, SIG_IGN);
    return run_main("supervise", [&]() -> int {
        try {
            const auto options = supervise::options_from(argc, argv);
            return options.session_folder ? supervise::supervise_case(options)
                                          : supervise::supervise_plain(options);
        } catch (const supervise::HelpAsked& help) {
            print(stdout, "{}\n", help.what());
            return exit_held;
        }
    });
}
