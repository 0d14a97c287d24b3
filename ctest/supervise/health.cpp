#include "ctest/supervise/health.hpp"

#include <fcntl.h>

#include <fstream>
#include <iterator>

#include "ctest/supervise/child.hpp"
#include "ctest/supervise/decide.hpp"
#include "ctest/supervise/quarantine.hpp"
#include "session/descriptor.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

namespace {

// What the control prints is of no case: it goes nowhere.
constexpr std::uint64_t unread_bytes = 1 << 20;

// RESOURCE_LOCK of the GPU is ours: nobody else writes its file.
void append(const fs::path& file, const std::string& line) {
    std::ifstream stream{file};
    const std::string before{std::istreambuf_iterator<char>{stream}, {}};
    fs::create_directories(file.parent_path());
    write_file_atomically(file, before + line + "\n");
}

ChildEnd run_control(const HealthRequest& request, const Case& control) {
    const Descriptor nowhere{::open("/dev/null", O_WRONLY | O_CLOEXEC)};
    Output quiet{nowhere.get(), -1, unread_bytes};
    return run_child({.command = {request.program, "--plan", (request.session_folder / "plan.json").string(),
                                  "--record-fd", "3", "--gtest_filter=" + control.test},
                      .deadline_s = request.limit_s,
                      .grace_s = request.grace_s,
                      .with_record = true},
                     quiet);
}

}  // namespace

void ask_gpus(const HealthRequest& request, const Plan& plan, const Case& planned, Output& output) {
    for (const int gpu : planned.gpus) {
        const Case* control = plan.find(case_id(Family::control, "positive", place_name({gpu})));
        if (control == nullptr || quarantine_of(request.session_folder, plan, gpu)) continue;
        const ChildEnd end = run_control(request, *control);
        if (end.how == ChildEnd::How::interrupted) return;  // nothing follows
        const Record record = decide(plan, *control, end).record;
        const bool answers = is_accepted(*control, record.outcome);
        const std::string line = format("health: gpu{} {} after {} {}: {} in {:.3f} s: {}", gpu,
                                        answers ? "answers" : "does not answer", planned.id, request.how,
                                        to_string(record.outcome), record.seconds, record.summary);
        output.say(line);
        append(request.session_folder / "health" / gpu_file_name(plan, gpu), line);
        if (!answers) {
            set_quarantine(request.session_folder, plan, gpu,
                           format("has not answered since {} {}", planned.id, request.how));
        }
    }
}

}  // namespace peerproof::supervise
