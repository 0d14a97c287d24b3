#include "simulator/history.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>

namespace peerproof::simulated {

int open_history(const std::string& state_folder) {
    const int file = state_folder.empty()
                         ? memfd_create("peerproof-history", MFD_CLOEXEC)
                         : open((state_folder + "/history").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, sizeof(History)) == 0) return file;
    close(file);
    return -1;
}

History* map_history(int descriptor) {
    void* mapped = mmap(nullptr, sizeof(History), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* history = static_cast<History*>(mapped);
    std::int64_t never = 0;
    history->began_ns.compare_exchange_strong(never, now_ns());
    return history;
}

std::uint32_t which_process(const Control& control, const History& history, Doing doing, int from, int to) {
    const int row = static_cast<int>(doing);
    const std::uint32_t mine = control.process_of_path[row][from][to].load();
    return mine != 0 ? mine : history.processes[row][from][to].load() + 1;
}

void count_process(Control& control, History& history, Doing doing, int from, int to) {
    const int row = static_cast<int>(doing);
    std::atomic<std::uint32_t>& mine = control.process_of_path[row][from][to];
    if (mine.load() == 0) mine.store(history.processes[row][from][to].fetch_add(1) + 1);
}

SoFar so_far(const Bench& bench, const History& history, int gpu) {
    std::uint64_t bytes = 0;
    for (int other = 0; other < bench.count; ++other)
        bytes += history.bytes[gpu][other].load() + history.bytes[other][gpu].load();
    return {bytes, static_cast<double>(now_ns() - history.began_ns.load()) / 1e9};
}

void number_run(History& history, const std::string& state_folder) {
    namespace fs = std::filesystem;
    if (history.run.load() != 0) return;
    std::uint32_t count = 0;
    std::error_code error;
    const fs::path state = state_folder;
    for (fs::directory_iterator each(state.parent_path().parent_path(), error), end; !error && each != end;
         each.increment(error)) {
        std::error_code ignored;
        if (!each->is_symlink(ignored) && fs::exists(each->path() / state.filename() / "history", ignored))
            ++count;
    }
    std::uint32_t none = 0;
    history.run.compare_exchange_strong(none, state_folder.empty() || count == 0 ? 1 : count);
}

bool is_of(const When& when, int from, int to) { return is_meant(when.from, from) && is_meant(when.to, to); }

bool holds(const Bench& bench, const When& when, const Operation& operation, const History& history) {
    if (!is_of(when, operation.from, operation.to)) return false;
    if (operation.bytes < when.least_bytes || operation.bytes > when.most_bytes) return false;
    if (when.bidirectional && !operation.bidirectional) return false;
    const bool is_any = when.bidirectional_by == Going::any;
    if (!is_any && !is_flying(history.flights, operation.to, operation.from, when.bidirectional_by))
        return false;
    if (when.active_pairs > 1 &&
        active_pairs(history.flights, operation.from, operation.to) < when.active_pairs)
        return false;
    if (operation.process < when.first_process) return false;
    const auto is_hot = [&](int gpu) {
        return temperature(bench.gpus[gpu].health, so_far(bench, history, gpu)) > when.above;
    };
    if (!is_hot(operation.from) && !is_hot(operation.to)) return false;
    const bool counts_itself = when.counted_from == -1;
    const int from = counts_itself ? operation.from : when.counted_from,
              to = counts_itself ? operation.to : when.counted_to;
    if (history.bytes[from][to].load() < when.after_bytes) return false;
    if (history.total_bytes.load() < when.after_total_bytes) return false;
    if (now_ns() - history.began_ns.load() < std::int64_t{when.after_ms} * 1'000'000) return false;
    const std::uint32_t run = history.run.load();
    if (run < when.first_run || run > when.last_run || run % when.every_run != 0) return false;
    const std::uint64_t number = history.operations[from][to].load() + 1;
    return number >= when.first_operation && number <= when.last_operation && number % when.every == 0;
}

bool is_at(const When& when, std::uint64_t offset, std::uint64_t bytes) {
    return offset < when.end_byte && offset + bytes > when.first_byte;
}

void count(const Bench& bench, const Operation& operation, History& history) {
    const std::uint64_t bytes = operation.bytes * bench.counts_bytes_as;
    history.operations[operation.from][operation.to].fetch_add(1);
    history.bytes[operation.from][operation.to].fetch_add(bytes);
    history.total_bytes.fetch_add(bytes);
}

}  // namespace peerproof::simulated
