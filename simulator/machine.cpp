#include "simulator/machine.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "simulator/exit_code.hpp"
#include "simulator/modelled_time.hpp"
#include "simulator/sickness.hpp"
#include "simulator/sysfs_tree.hpp"
#include "simulator/unkillable.hpp"
#include "simulator/visible.hpp"

namespace peerproof::simulated {
namespace {

constexpr int first_descriptor = 100;  // above those that a GPU process gets

std::atomic<bool> forked_child{false};

[[noreturn]] void refuse(const std::string& message) {
    std::fprintf(stderr, "peerproof simulated bench: %s\n", message.c_str());
    _exit(exit_usage);
}

int moved_up(int descriptor) {
    if (descriptor < 0) die(std::string("a descriptor could not be made: ") + std::strerror(errno));
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, first_descriptor);
    if (moved < 0) die(std::string("no descriptor is left: ") + std::strerror(errno));
    close(descriptor);
    return moved;
}

int sparse_file(const char* name, std::uint64_t bytes) {
    const int file = moved_up(memfd_create(name, MFD_CLOEXEC));
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0)
        die(std::string("a sparse file could not be made: ") + std::strerror(errno));
    return file;
}

std::string folder_of_this_library() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&folder_of_this_library), &info) == 0) return ".";
    std::error_code error;
    return std::filesystem::canonical(info.dli_fname, error).parent_path().string();
}

// A name is looked up beside the library; anything with a slash or the ending .toml is a file.
std::string bench_file(const std::string& folder) {
    const char* wanted = std::getenv("PEERPROOF_BENCH");
    if (wanted == nullptr || *wanted == 0)
        refuse("PEERPROOF_BENCH is not set: it must be the name of a bench or a .toml file");
    const std::string text = wanted;
    const std::string file = text.find('/') != std::string::npos || text.ends_with(".toml")
                                 ? text
                                 : folder + "/../../benches/" + text + ".toml";
    if (access(file.c_str(), R_OK) != 0)
        refuse("PEERPROOF_BENCH=" + text + ": " + file + " cannot be read: " + std::strerror(errno));
    return std::filesystem::canonical(file).string();
}

// Of a session it is in the state. While the bench is listed there is none: then where the list looks for it.
std::string sysfs_folder(const std::string& state) {
    if (!state.empty()) return state + "/sys";
    const char* listed = std::getenv("PEERPROOF_SYSFS");
    return listed == nullptr ? "" : listed;
}

// Every process of a session leaves one byte in a file, so that GPUs can fall off the bus after some number.
int count_process(const std::string& state) {
    if (state.empty()) return 0;
    std::error_code ignored;  // opening the file says it better
    std::filesystem::create_directories(state, ignored);
    const std::string path = state + "/processes";
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat status {};
    if (file < 0 || write(file, ".", 1) != 1 || fstat(file, &status) != 0)
        refuse("PEERPROOF_SIMULATED_STATE: " + path + ": " + std::strerror(errno));
    close(file);
    return static_cast<int>(status.st_size);
}

}  // namespace

void die(const std::string& message) {
    std::fprintf(stderr, "peerproof simulated bench: %s\n", message.c_str());
    std::abort();
}

bool is_forked_child() { return forked_child.load(std::memory_order_relaxed); }

Machine& the_machine() {
    // Never destroyed: static objects of the program may still call CUDA when it ends.
    static Machine* machine = [] {
        Machine* made = new Machine;
        pthread_atfork(nullptr, nullptr, [] { forked_child.store(true); });
        std::atexit([] {
            if (!is_forked_child()) the_machine().stop_all();
        });
        return made;
    }();
    return *machine;
}

Machine::Machine() : folder_(folder_of_this_library()), owner_(getpid()) {
    Bench* bench = read_bench(bench_file(folder_).c_str());
    if (const char* state = std::getenv("PEERPROOF_SIMULATED_STATE")) state_ = state;
    fall_sick_again(*bench, state_);
    bench_ = bench;
    process_of_session_ = count_process(state_);
    if (const std::string sysfs = sysfs_folder(state_); !sysfs.empty()) make_sysfs(*bench_, sysfs);
    find_devices();
}

bool Machine::present(int gpu) const {
    const Gpu& each = bench_->gpus[gpu];
    if (each.present == Presence::listing && !state_.empty()) return false;
    if (each.present == Presence::run && state_.empty()) return false;
    return each.falls_off_after == 0 || process_of_session_ <= each.falls_off_after;
}

void Machine::find_devices() {
    if (bench_->listing_hangs && state_.empty()) {
        for (;;) pause();
    }
    const char* order = std::getenv("CUDA_DEVICE_ORDER");
    const bool by_bus_id = order != nullptr && std::strcmp(order, "PCI_BUS_ID") == 0;
    std::vector<int> gpus;
    for (int i = 0; i < bench_->count; ++i) {
        const int gpu = by_bus_id ? i : bench_->fastest_first[i];
        if (present(gpu)) gpus.push_back(gpu);
    }
    devices_ = visible_gpus(*bench_, gpus, std::getenv("CUDA_VISIBLE_DEVICES"));
}

Control& Machine::control() {
    const std::lock_guard lock(mutex_);
    if (control_ != nullptr) return *control_;
    store_ = sparse_file("peerproof-store", store_bytes);
    control_file_ = sparse_file("peerproof-control", sizeof(Control));
    history_file_ = moved_up(open_history(state_));
    history_ = map_history(history_file_);
    if (history_ == nullptr) die(std::string("the history could not be mapped: ") + std::strerror(errno));
    number_run(*history_, state_);
    self_file_ = moved_up(static_cast<int>(syscall(SYS_pidfd_open, owner_, 0)));
    void* shared = mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, control_file_, 0);
    if (shared == MAP_FAILED)
        die(std::string("the control block could not be mapped: ") + std::strerror(errno));
    control_ = static_cast<Control*>(shared);  // a file of zeros is its beginning
    static_assert(std::is_trivially_copyable_v<Bench>);
    std::memcpy(static_cast<void*>(&control_->bench), bench_, sizeof(Bench));
    control_->caller = owner_;
    return *control_;
}

void Machine::start(int gpu) {
    if (processes_[gpu] != 0) return;
    const std::string program = folder_ + "/simulated-gpu";
    const std::string index = std::to_string(gpu);
    char* arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(index.c_str()), nullptr};
    char* environment[] = {nullptr};

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    // Not one descriptor of the caller may stay open here: its pipes would outlive it.
    for (const int each : {0, 1, 2}) posix_spawn_file_actions_addopen(&files, each, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&files, control_file_, control_descriptor);
    posix_spawn_file_actions_adddup2(&files, store_, store_descriptor);
    posix_spawn_file_actions_adddup2(&files, self_file_, parent_descriptor);
    posix_spawn_file_actions_adddup2(&files, history_file_, history_descriptor);
    posix_spawn_file_actions_addclosefrom_np(&files, history_descriptor + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error =
        posix_spawn(&processes_[gpu], program.c_str(), &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) die(program + " could not be started: " + std::strerror(error));
}

void Machine::stop(int gpu) {
    if (processes_[gpu] == 0) return;
    kill(processes_[gpu], SIGKILL);
    waitpid(processes_[gpu], nullptr, 0);
    processes_[gpu] = 0;
}

void Machine::stop_all() {
    for (int gpu = 0; gpu < bench_->count; ++gpu) stop(gpu);
}

std::uint32_t Machine::post(int gpu, const Command& command) {
    Queue& queue = control().queues[gpu];
    const std::lock_guard lock(posting_[gpu]);
    start(gpu);
    const std::uint32_t next = queue.posted.load(std::memory_order_relaxed);
    if (next - queue.done.load(std::memory_order_acquire) >= queue_depth) wait(gpu, next - queue_depth + 1);
    Command& place = queue.ring[next % queue_depth];
    std::memcpy(static_cast<void*>(&place), &command, sizeof command);
    meet(place.transfer);
    if (command.act == Act::kernel && is_between_gpus(command.transfer)) {
        const Transfer& one = command.transfer;
        place.flight = take_off({one.from, one.to, one.to == gpu ? Doing::load : Doing::store});
    }
    if (command.transfer.kind != Transfer::Kind::none) show_load(true);
    queue.posted.store(next + 1, std::memory_order_release);
    wake(queue.posted);
    return next + 1;
}

int Machine::take_off(const Flying& one) {
    return bench_->counts_flights ? simulated::take_off(history().flights, owner_, one) : 0;
}

// Two transfers between the same GPUs, one each way, neither of them done: both know of it.
void Machine::meet(Transfer& mine) {
    if (!is_between_gpus(mine)) return;
    for_each_opposite(mine, [&](Transfer& other) { mine.bidirectional = other.bidirectional = 1; });
}

bool Machine::meets(const Transfer& mine) {
    bool any = false;
    if (is_between_gpus(mine)) for_each_opposite(mine, [&](const Transfer&) { any = true; });
    return any;
}

template <class Use>
void Machine::for_each_opposite(const Transfer& mine, Use use) {
    for (const int gpu : {mine.from, mine.to}) {
        Queue& queue = control_->queues[gpu];
        const std::uint32_t end = queue.posted.load(std::memory_order_acquire);
        for (std::uint32_t n = queue.done.load(std::memory_order_acquire); n != end; ++n) {
            Transfer& other = queue.ring[n % queue_depth].transfer;
            if (is_between_gpus(other) && other.from == mine.to && other.to == mine.from) use(other);
        }
    }
}

void Machine::show_load(bool loaded) {
    if (state_.empty() || loaded == loaded_) return;
    loaded_ = loaded;
    show_links(*bench_, state_ + "/sys", loaded);
}

std::uint32_t Machine::posted(int gpu) {
    return control_ == nullptr ? 0 : control_->queues[gpu].posted.load(std::memory_order_acquire);
}

bool Machine::finished(int gpu, std::uint32_t number) {
    if (control_ == nullptr) return true;
    const std::uint32_t done = control_->queues[gpu].done.load(std::memory_order_acquire);
    return static_cast<std::int32_t>(done - number) >= 0;
}

void Machine::wait(int gpu, std::uint32_t number) {
    if (control_ == nullptr) return;
    Queue& queue = control_->queues[gpu];
    while (!finished(gpu, number)) {
        // Any GPU may ask: the one that is waited for may itself wait for another.
        for (const int each : devices_)
            answer(each, control_->queues[each].request.load(std::memory_order_acquire));
        const std::uint32_t seen = queue.done.load(std::memory_order_acquire);
        if (static_cast<std::int32_t>(seen - number) >= 0) break;
        sleep_while(queue.done, seen, 20);
        check_alive(gpu);
    }
    if (bench_->counts_errors && !state_.empty()) show_errors(*bench_, state_ + "/sys", *history_);
}

void Machine::wait_all() {
    for (const int gpu : devices_) wait(gpu, posted(gpu));
    show_load(false);
}

void Machine::check_alive(int gpu) {
    siginfo_t info{};
    if (processes_[gpu] == 0) return;
    const bool ended =
        waitid(P_PID, static_cast<id_t>(processes_[gpu]), &info, WEXITED | WNOHANG | WNOWAIT) == 0
            ? info.si_pid != 0
            : kill(processes_[gpu], 0) != 0;
    if (ended) die("the process of GPU " + std::to_string(gpu) + " ended by itself");
}

void Machine::answer(int gpu, Request request) {
    if (request == Request::none) return;
    remember_sickness(*bench_, gpu, state_);
    if (request == Request::hung) return;
    if (request == Request::unkillable) become_unkillable();
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

int Machine::fault() {
    if (control_ == nullptr) return 0;
    for (const int gpu : devices_) {
        const std::uint32_t error = control_->queues[gpu].error.load(std::memory_order_acquire);
        if (error != 0) return static_cast<int>(error);
    }
    return 0;
}

void Machine::forget_pages() {
    for (const int gpu : devices_) control().queues[gpu].remapping.fetch_add(1, std::memory_order_release);
}

}  // namespace peerproof::simulated
