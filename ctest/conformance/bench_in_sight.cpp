#include "ctest/conformance/bench_in_sight.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

#include "fixtures/gpus.hpp"
#include "fixtures/stamp.hpp"
#include "fixtures/status.hpp"
#include "session/format.hpp"

namespace peerproof {
namespace {

std::string first_line(const char* file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::string version_text(cudaError_t (*ask)(int*)) {
    int version = 0;
    const Status status = PEERPROOF_CALL(ask(&version));
    return status.ok() ? format("{}.{}", version / 1000, version % 1000 / 10) : status.error();
}

std::map<std::string, std::string> environment_here() {
    utsname system{};
    ::uname(&system);
    std::map<std::string, std::string> here{
        {"host", system.nodename},
        {"kernel", system.release},
        {"boot_id", first_line("/proc/sys/kernel/random/boot_id")},
        {"kernel_command_line", first_line("/proc/cmdline")},
        {"driver_supports_cuda", version_text(cudaDriverGetVersion)},
        {"cuda_runtime", version_text(cudaRuntimeGetVersion)},
        {"cuda_runtime_library", runtime_library()},
    };
    if (const auto driver = first_line("/proc/driver/nvidia/version"); !driver.empty())
        here["driver"] = driver;
    for (const char* name : {"CUDA_VISIBLE_DEVICES", "LD_PRELOAD"}) {
        if (const char* value = ::getenv(name)) here[name] = value;
    }
    return here;
}

// A simulated runtime says so itself; nothing else in the suite knows that there is such a thing.
std::optional<std::string> simulated_bench() {
    using Name = const char*();
    auto* name = reinterpret_cast<Name*>(::dlsym(RTLD_DEFAULT, "peerproof_simulated_bench"));
    if (name == nullptr) return std::nullopt;
    return name();
}

std::string now_in_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace

Plan bench_in_sight(const Settings& settings, const std::string& session) {
    Plan plan;
    plan.session = session;
    plan.run = run_number(session);
    plan.suite = PEERPROOF_VERSION;
    plan.started = now_in_utc();
    plan.expectation = settings.expectation;
    plan.self_check = settings.self_check;
    plan.gpus_wanted = settings.gpus_wanted;
    plan.deadline_s = settings.deadline_s;
    plan.simulated = simulated_bench();
    if (plan.simulated.has_value() != settings.bench.has_value()) {
        throw UsageError(
            plan.simulated
                ? format("the CUDA runtime is that of the simulated bench '{}' ({}), but "
                         "PEERPROOF_BENCH asks for "
                         "none: take its folder off LD_LIBRARY_PATH",
                         *plan.simulated, runtime_library())
                : format(
                      "PEERPROOF_BENCH asks for the simulated bench '{}', but the CUDA runtime that answers "
                      "is {}",
                      *settings.bench, runtime_library()));
    }
    plan.large_step_mib = large_step_mib(settings, plan.simulated.has_value());
    plan.gpus = gpus_in_sight();
    plan.environment = environment_here();
    return plan;
}

}  // namespace peerproof
