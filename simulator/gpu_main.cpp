// One simulated GPU: a process that does what the calling process posts into its queue.
//
//   simulated-gpu GPU       started by machine.cpp, with the descriptors of layout.hpp
//
// A program of its own and not a mere fork, so that a kernel finds nothing of the caller in the address
// space: ordinary host memory is as illegal here as on a GPU without HMM.
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "simulator/access.hpp"
#include "simulator/files.hpp"
#include "simulator/kernel_registry.hpp"
#include "simulator/layout.hpp"
#include "simulator/mixing.hpp"
#include "simulator/modelled_time.hpp"
#include "simulator/page_table.hpp"
#include "simulator/paths.hpp"
#include "simulator/substitutes.hpp"

namespace peerproof::simulated {
namespace {

constexpr std::uint32_t illegal_address = 700;
constexpr std::uint32_t launch_failure = 719;

Control* control = nullptr;
Queue* queue = nullptr;
PageTable* page_table = nullptr;
History* session = nullptr;
int self = 0;
sigjmp_buf end_of_failed_kernel;
std::uint32_t failure = 0;

// The calling process is waiting for this queue, or will be: it finds the request there. Nothing ends here.
[[noreturn]] void ask_caller(Request request) {
    queue->request.store(request, std::memory_order_release);
    wake(queue->done);
    for (;;) pause();
}

// A processor fault inside a kernel. Nothing but kernels runs with these signals expected, and none of them
// holds anything that a jump would leak.
void on_fault(int signal_number, siginfo_t* info, void* context) {
    const auto* machine = static_cast<const ucontext_t*>(context);
    constexpr greg_t page_fault_of_store = 2;  // the processor's error code, bit W/R
    const bool store = (machine->uc_mcontext.gregs[REG_ERR] & page_fault_of_store) != 0;
    if (signal_number == SIGSEGV) {
        switch (page_table->page_fault(reinterpret_cast<std::uint64_t>(info->si_addr), store)) {
            case Fault::mapped:
                return;
            case Fault::illegal:
                break;
            case Fault::hang:
                ask_caller(Request::hung);
            case Fault::unkillable:
                ask_caller(Request::unkillable);
            case Fault::crash:
                ask_caller(Request::crash);
        }
    }
    failure = signal_number == SIGSEGV || signal_number == SIGBUS ? illegal_address : launch_failure;
    siglongjmp(end_of_failed_kernel, 1);
}

void catch_faults() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(each, &action, nullptr);
}

Deed deed_of(const char* kernel) {
    static int launches[max_kernel_rules] = {};
    const Bench& bench = control->bench;
    if (bench.gpus[self].is_sick) return Deed::hang;
    for (int i = 0; i < bench.kernel_rule_count; ++i) {
        const KernelRule& rule = bench.kernel_rules[i];
        if (std::strcmp(rule.name, kernel) == 0 && is_meant(rule.gpu, self))
            return launches[i]++ < rule.after ? Deed::as_written : rule.deed;
    }
    return Deed::as_written;
}

void run_kernel(const Command& command) {
    void* arguments[argument_limit];
    for (int i = 0; i < argument_limit; ++i)
        arguments[i] = const_cast<std::byte*>(command.arguments) + command.argument_offset[i];
    const Kernel* kernel = find_kernel(command.kernel);
    page_table->begin_of_kernel(command);
    failure = 0;
    if (sigsetjmp(end_of_failed_kernel, 1) == 0) {
        switch (deed_of(command.kernel)) {
            case Deed::as_written:
                kernel->call(arguments);
                break;
            case Deed::nothing:
                break;
            case Deed::equal:
                say_equal(command.kernel, arguments);
                break;
            case Deed::all_but_last:
            case Deed::last_only:
            case Deed::false_first:
            case Deed::first_outside:
                compare_wrongly(deed_of(command.kernel), *kernel, arguments);
                break;
            case Deed::fault:
                failure = illegal_address;
                break;
            case Deed::hang:
                ask_caller(Request::hung);
            case Deed::crash:
                ask_caller(Request::crash);
        }
        end_of_kernel_accesses();
    }
    page_table->end_of_kernel();
    if (failure != 0) queue->error.store(failure, std::memory_order_release);
}

alignas(4096) std::uint8_t block[std::size_t{1} << 18];

void copy_row(const Command& command, std::uint64_t row) {
    const std::uint64_t to = command.to + row * command.to_pitch,
                        from = command.from + row * command.from_pitch;
    for (std::uint64_t done = 0; done < command.bytes;) {
        const std::size_t size = std::min<std::uint64_t>(sizeof block, command.bytes - done);
        if (pread(descriptor_of(command.from_file), block, size, static_cast<off_t>(from + done)) !=
            static_cast<ssize_t>(size))
            _exit(1);
        if (command.flip && size > flip_word * sizeof flip_bit) {
            std::uint64_t word;
            std::memcpy(&word, block + flip_word * sizeof word, sizeof word);
            word ^= flip_bit;
            std::memcpy(block + flip_word * sizeof word, &word, sizeof word);
        }
        if (pwrite(descriptor_of(command.to_file), block, size, static_cast<off_t>(to + done)) !=
            static_cast<ssize_t>(size))
            _exit(1);
        done += size;
    }
}

void run_copy(const Command& command) {
    for (std::uint64_t row = 0; row < std::max<std::uint64_t>(command.rows, 1); ++row) copy_row(command, row);
}

void run_fill(const Command& command) {
    std::memset(block, command.value, std::min<std::uint64_t>(sizeof block, command.bytes));
    for (std::uint64_t done = 0; done < command.bytes;) {
        const std::size_t size = std::min<std::uint64_t>(sizeof block, command.bytes - done);
        if (pwrite(descriptor_of(command.to_file), block, size, static_cast<off_t>(command.to + done)) !=
            static_cast<ssize_t>(size))
            _exit(1);
        done += size;
    }
}

void wait_for(int gpu, std::uint32_t number) {
    Queue& other = control->queues[gpu];
    for (;;) {
        const std::uint32_t seen = other.done.load(std::memory_order_acquire);
        if (static_cast<std::int32_t>(seen - number) >= 0) return;
        sleep_while(other.done, seen, 100);
    }
}

void run(const Command& command) {
    // After a fault a queue only counts down, so that nobody waits for it for ever.
    if (queue->error.load(std::memory_order_relaxed) != 0) return;
    switch (command.act) {
        case Act::kernel:
            run_kernel(command);
            break;
        case Act::copy:
            run_copy(command);
            break;
        case Act::fill:
            run_fill(command);
            break;
        case Act::record:
            control->event_times[command.event].store(queue->clock.load(), std::memory_order_release);
            break;
        case Act::wait:
            wait_for(command.gpu, command.number);
            break;
        case Act::elapse:
        case Act::land:
            break;
        case Act::hang:
            ask_caller(Request::hung);
    }
    queue->clock.fetch_add(duration(control->bench, command.transfer, queue->done.load()),
                           std::memory_order_release);
}

// A kernel may never end, so the end of the calling process is watched beside it. Not PR_SET_PDEATHSIG: that
// follows the thread that started this process, and threads of a healthy caller may end.
void* watch_caller(void*) {
    pollfd caller{parent_descriptor, POLLIN, 0};
    while (poll(&caller, 1, -1) <= 0) {}
    _exit(0);
}

void serve() {
    for (std::uint32_t next = queue->done.load();; ++next) {
        for (;;) {
            const std::uint32_t posted = queue->posted.load(std::memory_order_acquire);
            if (posted != next) break;
            sleep_while(queue->posted, posted, 60'000);
        }
        Command& command = queue->ring[next % queue_depth];
        begin_flow(*control, command, session->flights);
        run(command);
        if (queue->error.load(std::memory_order_relaxed) == 0)
            end_flow(control->bench, command, session->flights);
        land(session->flights, command.flight);
        queue->done.store(next + 1, std::memory_order_release);
        wake(queue->done);
    }
}

int gpu_main(int argc, char** argv) {
    if (argc != 2) return 64;
    self = std::atoi(argv[1]);
    prctl(PR_SET_NAME, "simulated-gpu");
    void* shared = mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, control_descriptor, 0);
    if (shared == MAP_FAILED || self < 0 || self >= max_gpus) return 64;
    control = static_cast<Control*>(shared);
    queue = &control->queues[self];
    use_files_of(*control);
    session = map_history(history_descriptor);
    if (session == nullptr) return 64;
    static PageTable table(*control, *session, self);
    page_table = &table;
    begin_accesses(control->bench, self);
    pthread_t watcher;
    if (pthread_create(&watcher, nullptr, watch_caller, nullptr) != 0) return 1;
    catch_faults();
    serve();
    return 0;
}

}  // namespace
}  // namespace peerproof::simulated

int main(int argc, char** argv) { return peerproof::simulated::gpu_main(argc, argv); }
