// What filling and verifying cost on a GPU, beside what its own copy reaches: so that verifying costs a link
// nothing. Rates count the bytes read plus those written, of 1 GiB, 15 samples each after three for warming,
// side by side.
//
//   verify_speed [DEVICE]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "fixtures/launch.hpp"
#include "fixtures/stamp.hpp"
#include "kernels/compare.hpp"
#include "kernels/fill.hpp"
#include "kernels/stream.hpp"
#include "session/format.hpp"

using namespace peerproof;

namespace {

constexpr std::uint64_t bytes = std::uint64_t{1} << 30, words = bytes / 8;
constexpr int warming = 3, samples = 15;

struct Contender {
    const char* name;
    double moved;  // bytes read plus written
    std::function<void()> act;
    std::vector<double> rates = {};
};

double seconds_of(const std::function<void()>& act) {
    static cudaEvent_t began = nullptr, ended = nullptr;
    if (began == nullptr) {
        PEERPROOF_NEED(cudaEventCreate(&began), "an event");
        PEERPROOF_NEED(cudaEventCreate(&ended), "an event");
    }
    PEERPROOF_NEED(cudaEventRecord(began), "an event");
    act();
    PEERPROOF_NEED(cudaEventRecord(ended), "an event");
    PEERPROOF_NEED(cudaEventSynchronize(ended), "an event");
    float ms = 0;
    PEERPROOF_NEED(cudaEventElapsedTime(&ms, began, ended), "an event");
    return ms / 1e3;
}

std::uint64_t* memory(std::uint64_t size) {
    void* made = nullptr;
    PEERPROOF_NEED(cudaMalloc(&made, size), "memory");
    return static_cast<std::uint64_t*>(made);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int device = argc > 1 ? std::atoi(argv[1]) : 0;
        PEERPROOF_NEED(cudaSetDevice(device), "the GPU");
        std::uint64_t *a = memory(bytes), *b = memory(bytes);
        auto* result = reinterpret_cast<kernels::Comparison*>(memory(sizeof(kernels::Comparison)));
        const kernels::Comparison none{0, 0, ~0ull, 0, 0, 0, 0};
        PEERPROOF_NEED(cudaMemcpy(result, &none, sizeof none, cudaMemcpyHostToDevice), "memory");
        const Stamp stamp{.run = 1}, poison{.run = 1, .role = Role::poison};
        const auto queue = [&](auto kernel, auto... arguments) {
            const Status status = launch_without_waiting(device, nullptr, kernel, words, arguments...);
            if (!status.ok()) throw NotSetUp(status, "a kernel");
        };
        std::vector<Contender> all{
            {"fill", double(bytes), [&] { queue(kernels::fill, a, words, stamp.bits(), std::uint64_t{0}); }},
            {"compare", double(bytes),
             [&] {
                 queue(kernels::compare, a, words, stamp.bits(), poison.bits(), std::uint64_t{0}, result);
             }},
            {"stream_load", 2.0 * bytes, [&] { queue(kernels::stream_load, b, a, words); }},
            {"cudaMemcpy", 2.0 * bytes,
             [&] { PEERPROOF_NEED(cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice), "a copy"); }}};
        for (int sample = -warming; sample < samples; ++sample) {
            for (Contender& one : all) {
                const double rate = one.moved / seconds_of(one.act) / 1e9;
                if (sample >= 0) one.rates.push_back(rate);
            }
        }
        kernels::Comparison seen{};
        PEERPROOF_NEED(cudaMemcpy(&seen, result, sizeof seen, cudaMemcpyDeviceToHost), "the comparison");
        print(stdout, "compared {} words, {} of them wrong\n", seen.compared, seen.mismatched);
        for (Contender& one : all) std::sort(one.rates.begin(), one.rates.end());
        const double copy = all.back().rates[samples / 2];
        for (const Contender& one : all) {
            print(stdout, "{:12} median {:7.1f} GB/s ({:.1f} to {:.1f}), {:.1f} % of cudaMemcpy\n", one.name,
                  one.rates[samples / 2], one.rates.front(), one.rates.back(),
                  100 * one.rates[samples / 2] / copy);
        }
        return seen.mismatched == 0 && seen.compared == words * (samples + warming) ? 0 : 1;
    } catch (const std::exception& error) {
        print(stderr, "verify_speed: {}\n", error.what());
        return 75;
    }
}
