#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <system_error>

#include "ctest/supervise/asked_again.hpp"
#include "ctest/supervise/by_hand.hpp"
#include "ctest/supervise/controls.hpp"
#include "ctest/supervise/decide.hpp"
#include "ctest/supervise/health.hpp"
#include "ctest/supervise/health_limit.hpp"
#include "ctest/supervise/hung_pair.hpp"
#include "ctest/supervise/modes.hpp"
#include "ctest/supervise/quarantine.hpp"
#include "session/descriptor.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"
#include "session/plan_parts.hpp"

namespace peerproof::supervise {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t log_bytes = 1 << 20;

// To the millisecond: a report says what ran beside what.
std::string utc_now() {
    std::timespec now{};
    std::timespec_get(&now, TIME_UTC);
    std::tm parts{};
    ::gmtime_r(&now.tv_sec, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    return format("{}.{:03}Z", text, now.tv_nsec / 1'000'000);
}

Descriptor open_log(const fs::path& file) {
    const int log = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (log < 0) {
        throw std::system_error{errno, std::generic_category(),
                                format("{}: cannot be created", file.string())};
    }
    return Descriptor{log};
}

// One case of one session, on its way through the files of the session folder.
class Supervised {
  public:
    Supervised(const Options& options, const Plan& plan, const Case& planned)
        : options_(options), folder_(*options.session_folder), plan_(plan), planned_(planned) {
        fs::create_directories(folder_ / "records");
        fs::create_directories(folder_ / "logs");
    }

    int run() {
        const std::string started = utc_now();
        if (const auto why = needs_no_asking(folder_, planned_)) {
            Output output{STDOUT_FILENO, -1, log_bytes};
            auto record = not_applicable_record(plan_, planned_, *why);
            record.started = started;
            return finish(record, ChildEnd{}, output);
        }
        if (const auto why = find_quarantine(folder_, plan_, planned_)) return leave_out(*why, started);
        if (const auto gap = controls_gap(folder_, plan_, planned_)) {
            Output output{STDOUT_FILENO, -1, log_bytes};
            auto record = unruled_record(plan_, planned_, *gap);
            record.started = started;
            ChildEnd never;
            never.how = ChildEnd::How::interrupted;  // no outcome of it may count, whatever its family
            return finish(record, never, output);
        }
        if (const auto why = hung_between(folder_, plan_, planned_)) return leave_out(*why, started);
        auto before = started_record(plan_, planned_);
        before.started = started;
        write(before);

        const Descriptor log = open_log(log_file());
        Output output{STDOUT_FILENO, log.get(), log_bytes};
        const double deadline_s = options_.deadline_s.value_or(deadline_of(plan_, planned_));
        const auto end = run_child({.command = options_.command,
                                    .deadline_s = deadline_s,
                                    .grace_s = options_.grace_s,
                                    .with_record = true,
                                    .ends_when_asked = planned_.family == Family::soak,
                                    .keep = [&](std::string_view line) { return keep(line, started); }},
                                   output);
        if (end.how == ChildEnd::How::unkillable) {
            for (const int gpu : planned_.gpus)
                set_quarantine(folder_, plan_, gpu,
                               format("is in quarantine since {} could not be killed", planned_.id));
        }
        auto [record, text_unused] = decide(plan_, planned_, end);
        record.started = started;
        if (text_unused) {
            output.add(
                format("\nsupervise: what came instead of a record: {}\n", printable(end.record, 4096)));
        }
        record.log = printable(output.tail(), record_log_limit);
        const int code = finish(record, end, output);
        // Of a control or a closing nothing follows that its own outcome does not hold back.
        const bool something_follows =
            planned_.family != Family::control && planned_.family != Family::closing;
        const std::string how = how_it_broke_off(record);
        if (!how.empty() && something_follows && options_.health_program) {
            ask_gpus({.program = *options_.health_program,
                      .session_folder = folder_,
                      .limit_s = health_limit_s(options_.deadline_s.value_or(plan_.deadline_s)),
                      .grace_s = options_.grace_s,
                      .how = how},
                     plan_, planned_, output);
            output.flush(std::chrono::milliseconds{1000});
        }
        return code;
    }

  private:
    fs::path record_file() const { return folder_ / "records" / (planned_.id + ".json"); }
    fs::path log_file() const { return folder_ / "logs" / (planned_.id + ".log"); }

    void write(const Record& record) const {
        write_file_atomically(record_file(), to_json(record).dump(1) + "\n");
    }

    bool keep(std::string_view line, const std::string& started) const {
        auto record = said_so_far(plan_, planned_, line);
        if (!record) return false;
        const bool failed = record->finished && record->outcome != Outcome::delivered;
        // A soak is long: what it has by now is what is left of it, should this process be ended as well.
        const bool grows = record->soak.has_value() && !record->finished;
        if (!failed && !grows) return false;
        record->started = started;
        write(*record);
        return failed;
    }

    int leave_out(const std::string& why, const std::string& started) const {
        Output output{STDOUT_FILENO, -1, log_bytes};
        auto record = not_started_record(plan_, planned_, why);
        record.started = started;
        return finish(record, ChildEnd{}, output);
    }

    int finish(const Record& record, const ChildEnd& end, Output& output) const {
        write(record);
        const bool held = is_accepted(planned_, record.outcome);
        const bool finding = !planned_.gates && !held;
        output.say(format("{}{}: {}{} in {:.3f} s: {}", finding ? "FINDING: " : "", planned_.id,
                          to_string(record.outcome), held ? "" : wanted(), record.seconds, record.summary));
        if (!held) output.say(format("by hand: {}", by_hand(options_.command)));
        output.flush(std::chrono::milliseconds{1000});
        return exit_code_of(planned_, record, end);
    }

    std::string wanted() const {
        std::vector<std::string_view> words;
        for (const Outcome outcome : planned_.accepted) words.push_back(to_string(outcome));
        return format(" (expected {})", join(words, " or "));
    }

    const Options& options_;
    fs::path folder_;
    const Plan& plan_;
    const Case& planned_;
};

int refuse(const std::string& why) {
    print(stdout, "supervise: {}\n", why);
    return exit_no_verdict;
}

}  // namespace

int supervise_case(const Options& options) {
    const auto plan_file = *options.session_folder / "plan.json";
    try {
        if (!fs::exists(plan_file)) {
            return refuse(
                format("{} is missing: bench.open has not run in this session; was it stripped with "
                       "-FS or -FA?",
                       plan_file.string()));
        }
        const Plan plan =
            read_plan_of(*options.session_folder, options.case_id.substr(options.case_id.rfind('.') + 1));
        const Case* planned = plan.find(options.case_id);
        if (planned == nullptr) {
            return refuse(
                format("{} does not contain {}: bench.open has not run in this session with today's "
                       "list; was it stripped with -FS or -FA?",
                       plan_file.string(), options.case_id));
        }
        return Supervised{options, plan, *planned}.run();
    } catch (const FormatError& error) {
        return refuse(error.what());
    } catch (const std::system_error& error) {  // also of std::filesystem
        return refuse(format("{}: no record of {}", error.what(), options.case_id));
    }
}

}  // namespace peerproof::supervise
