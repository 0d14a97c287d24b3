// The simulated machine as the calling process has it: the bench, the GPUs in sight, their memory and
// processes.
//
//   Machine& machine = the_machine();    // the first call reads PEERPROOF_BENCH; exits with 64 for a bad one
//   const std::uint32_t number = machine.post(gpu, command);    // the first one starts the GPU process
//   machine.wait(gpu, number);
//
// A GPU is an index of the bench, a device an index of what CUDA_VISIBLE_DEVICES left in sight. Which error
// a call of CUDA answers is decided in api_*.cpp.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "simulator/history.hpp"
#include "simulator/layout.hpp"

namespace peerproof::simulated {

[[noreturn]] void die(const std::string& message);  // message to stderr, abort

class Machine {
  public:
    Machine();

    const Bench& bench() const { return *bench_; }
    const std::vector<int>& devices() const { return devices_; }  // GPU of each device
    Control& control();                                           // made at the first call
    History& history() { return control(), *history_; }

    std::uint32_t post(int gpu, const Command&);  // its number in the queue
    std::uint32_t posted(int gpu);                // number of the last command; 0 if there was none
    bool finished(int gpu, std::uint32_t number);
    void wait(int gpu, std::uint32_t number);
    void wait_all();
    int fault();                  // the CUDA error that a GPU ended with; 0 if none
    void forget_pages();          // mappings of the GPU processes are asked for anew from the next kernel on
    bool meets(const Transfer&);  // another goes the other way between its GPUs, and is not done
    int take_off(const Flying&);  // for Command::flight; 0 where the bench does not ask
    void stop(int gpu);           // ends its process
    void stop_all();

    // Memory: offsets within a region (a GPU, or the pinned host memory). What is plain is at its plain address;
    // the rest is reached by mappings.
    struct Allocation {
        std::uint64_t offset, bytes;  // whole pages
        std::uint8_t number;          // as in Control::allocated
    };
    enum class Kind { plain, mapped };
    std::optional<std::uint64_t> allocate(int region, std::uint64_t bytes, Kind kind = Kind::plain);
    bool release(int region, std::uint64_t offset);
    void release_all_plain(int region);
    bool holds(int region, std::uint64_t offset, std::uint64_t bytes);       // all within one that is plain
    std::optional<Allocation> allocation(int region, std::uint64_t offset);  // that holds the byte
    std::uint64_t capacity(int region) const;
    std::uint64_t free_bytes(int region);
    bool read(const Spot&, void* into, std::uint64_t bytes);
    bool write(const Spot&, const void* from, std::uint64_t bytes);
    int store() const { return store_; }
    int control_file() const { return control_file_; }

  private:
    void find_devices();
    int descriptor_of(int file);
    bool present(int gpu) const;
    void start(int gpu);
    void check_alive(int gpu);
    void answer(int gpu, Request);
    void meet(Transfer&);
    template <class Use>
    void for_each_opposite(const Transfer& mine, Use use);
    void show_load(bool loaded);  // in the simulated sysfs

    const Bench* bench_ = nullptr;
    bool loaded_ = false;
    std::string folder_;          // of this library
    std::string state_;           // PEERPROOF_SIMULATED_STATE, empty where not set
    int process_of_session_ = 0;  // counted from 1
    std::vector<int> devices_;
    std::mutex mutex_;  // of what follows
    std::mutex posting_[max_gpus];
    Control* control_ = nullptr;
    History* history_ = nullptr;
    int control_file_ = -1, store_ = -1, self_file_ = -1, history_file_ = -1;
    pid_t owner_ = 0;
    pid_t processes_[max_gpus] = {};
    std::map<std::uint64_t, Allocation> allocations_[region_count];  // by offset
    std::uint8_t last_number_[2] = {};                               // of each kind
};

Machine& the_machine();
bool is_forked_child();  // CUDA does not work in the child of a fork

}  // namespace peerproof::simulated
