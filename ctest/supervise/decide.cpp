#include "ctest/supervise/decide.hpp"

#include <string.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "ctest/supervise/lines.hpp"
#include "session/exit_code.hpp"
#include "session/format.hpp"
#include "session/json.hpp"

namespace peerproof::supervise {

namespace {

// What the child said of its case, where it said something that can be read. It sends its record as it grows,
// a line of JSON each time: the last whole line is what it came to.
struct Said {
    std::optional<Record> record;
    std::string trouble;  // why there is no record that says how the case ended
};

Said said_by(const ChildEnd& end) {
    if (end.record.empty()) return {{}, "it sent no record"};
    if (end.record_cut) return {{}, format("its record is larger than {} bytes", record_file_limit)};
    try {
        Record record = record_from_json(nlohmann::json::parse(last_whole_line(end.record)), "the record");
        const char* trouble = record.finished ? "" : "its record says that it had not finished";
        return {std::move(record), trouble};
    } catch (const nlohmann::json::exception&) {
        return {{}, "its record is not JSON"};
    } catch (const FormatError& error) {
        return {{}, error.what()};
    }
}

// "; before, word had delivered and block ..." : how far it had come.
std::string progress(const Record& said) {
    std::string text;
    for (const Step& step : said.steps) {
        if (said.soak) break;  // its last word has them
        text += format("{}{} {}", text.empty() ? "; before: " : ", ", step.name, to_string(step.outcome));
    }
    if (!said.summary.empty()) text += "; its last word: " + said.summary;
    return text;
}

// What of the record belongs to another case, session or bench; empty if all is ours.
std::string stranger(const Plan& plan, const Case& planned, const Record& record) {
    const auto differs = [](const char* what, const std::string& said, const std::string& ours) {
        return said == ours ? ""
                            : format("its record is of {} '{}', not '{}'", what, printable(said, 80), ours);
    };
    const auto bench = [](const std::optional<std::string>& name) { return name.value_or("(real)"); };
    for (const auto& difference :
         {differs("session", record.session, plan.session), differs("case", record.case_id, planned.id),
          differs("bench", bench(record.simulated), bench(plan.simulated)),
          differs("test", record.test, planned.test),
          differs("family", std::string{to_string(record.family)}, std::string{to_string(planned.family)}),
          differs("check", record.check, planned.check),
          differs("place", place_name(record.gpus), place_name(planned.gpus))}) {
        if (!difference.empty()) return difference;
    }
    return "";
}

std::string exit_text(int code) {
    switch (code) {
        case exit_usage:
            return "exit code 64: its command line, environment or plan is not valid";
        case exit_nothing_ran:
            return "exit code 70: no check was selected, or the list is stale";
        case exit_no_verdict:
            return "exit code 75: it could not be set up";
        default:
            return format("exit code {}", code);
    }
}

// These codes say by themselves that the suite and not the bench was at fault.
bool says_undecided(int code) {
    return code == exit_usage || code == exit_nothing_ran || code == exit_no_verdict;
}

void set(Record& record, Outcome outcome, std::string summary) {
    record.outcome = outcome;
    record.summary = std::move(summary);
}

// The process ended by itself with a status: does the record hold?
void weigh(const Case& planned, const Said& said, const ChildEnd& end, Record& record) {
    if (!said.trouble.empty()) {
        const bool undecided = end.record.empty() && says_undecided(end.code);
        return set(
            record, undecided ? Outcome::inconclusive : Outcome::crashed,
            format("ended without saying how its check ended: {} ({})", said.trouble, exit_text(end.code)));
    }
    const Outcome outcome = said.record->outcome;
    if (is_accepted(planned, outcome) != (end.code == exit_held)) {
        return set(record, Outcome::inconclusive,
                   format("the record and the exit status contradict each other: {} with {}",
                          to_string(outcome), exit_text(end.code)));
    }
    set(record, outcome, said.record->summary);
}

// The owner had looked, and the bytes were not there: that was seen, whatever became of the process
// afterwards. Not of a control, which may look for bytes that differ, and has seen nothing until it says what
// they amount to.
bool had_seen_bytes_missing(const Case& planned, const Said& said) {
    if (!said.record || planned.family == Family::control) return false;
    const Outcome outcome = said.record->outcome;
    if ((outcome != Outcome::missing && outcome != Outcome::wrong) || is_accepted(planned, outcome))
        return false;
    const auto& steps = said.record->steps;
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.outcome == outcome; });
}

}  // namespace

std::string signal_name(int number) {
    const char* name = ::sigabbrev_np(number);
    return name != nullptr ? format("SIG{}", name) : format("signal {}", number);
}

bool is_accepted(const Case& planned, Outcome outcome) {
    return std::find(planned.accepted.begin(), planned.accepted.end(), outcome) != planned.accepted.end();
}

Record started_record(const Plan& plan, const Case& planned) {
    Record record;
    record.session = plan.session;
    record.case_id = planned.id;
    record.test = planned.test;
    record.family = planned.family;
    record.check = planned.check;
    record.gpus = planned.gpus;
    record.simulated = plan.simulated;
    record.outcome = Outcome::crashed;
    record.summary = "started, and its end was not seen";
    return record;
}

Record not_started_record(const Plan& plan, const Case& planned, const std::string& why) {
    Record record = started_record(plan, planned);
    record.finished = true;
    set(record, Outcome::not_started, "not started: " + why);
    return record;
}

Record not_applicable_record(const Plan& plan, const Case& planned, const std::string& why) {
    Record record = started_record(plan, planned);
    record.finished = true;
    set(record, Outcome::not_applicable, why);
    return record;
}

Record unruled_record(const Plan& plan, const Case& planned, const std::string& gap) {
    Record record = started_record(plan, planned);
    record.finished = true;
    set(record, Outcome::inconclusive, format("not started: {}", gap));
    return record;
}

std::string how_it_broke_off(const Record& record) {
    if (!record.finished) return "";
    switch (record.outcome) {
        case Outcome::hung:
            return "hung";
        case Outcome::crashed:
            return "crashed";
        case Outcome::unkillable:
            return "could not be killed";
        case Outcome::missing:
        case Outcome::wrong:  // seen, and then the process did not come to its end
            return record.exit_code ? "" : record.signal ? "crashed" : "hung";
        default:
            return "";
    }
}

std::optional<Record> said_so_far(const Plan& plan, const Case& planned, std::string_view line) {
    try {
        Record record = record_from_json(nlohmann::json::parse(line), "the record");
        if (stranger(plan, planned, record).empty()) return record;
    } catch (const nlohmann::json::exception&) {
    } catch (const FormatError&) {}
    return std::nullopt;
}

Decision decide(const Plan& plan, const Case& planned, const ChildEnd& end) {
    Decision decision{started_record(plan, planned)};
    Record& record = decision.record;
    record.finished = true;
    record.seconds = end.seconds;
    if (end.how == ChildEnd::How::exited) record.exit_code = end.code;
    if (end.how == ChildEnd::How::signalled) record.signal = end.code;

    const Said said = said_by(end);
    decision.text_unused = !said.record && !end.record.empty();
    std::string before;  // what it had said before it was ended
    if (said.record) {
        if (const auto difference = stranger(plan, planned, *said.record); !difference.empty()) {
            set(record, Outcome::inconclusive, difference);
            decision.text_unused = true;
            return decision;
        }
        record.steps = said.record->steps;
        record.hints = said.record->hints;
        record.measurements = said.record->measurements;
        record.links = said.record->links;
        record.edges = said.record->edges;
        record.soak = said.record->soak;
        before = progress(*said.record);
    }
    const auto broke_off = [&](Outcome how, const std::string& words) {
        if (had_seen_bytes_missing(planned, said))
            return set(record, said.record->outcome, format("{}; then {}", said.record->summary, words));
        set(record, how, words + before);
    };
    switch (end.how) {
        case ChildEnd::How::exited:
            weigh(planned, said, end, record);
            break;
        case ChildEnd::How::signalled:
            broke_off(Outcome::crashed, format("ended by {}", signal_name(end.code)));
            break;
        case ChildEnd::How::not_started:
            set(record, Outcome::inconclusive,
                format("its program could not be started: {}", ::strerror(end.code)));
            break;
        case ChildEnd::How::hung:
            broke_off(Outcome::hung, format("killed after {:.1f} s: the deadline passed", end.seconds));
            break;
        case ChildEnd::How::unkillable:
            broke_off(Outcome::unkillable,
                      format("given up after {:.1f} s: SIGKILL did not end it", end.seconds));
            break;
        case ChildEnd::How::interrupted:
            if (planned.family == Family::soak)
                broke_off(Outcome::inconclusive, format("interrupted by {}", signal_name(end.code)));
            else
                set(record, Outcome::inconclusive,
                    format("interrupted by {}{}", signal_name(end.code), before));
            break;
    }
    return decision;
}

int exit_code_of(const Case& planned, Outcome outcome, const ChildEnd& end) {
    if (end.how == ChildEnd::How::interrupted) return exit_no_verdict;
    // Beside core and closing the case that hung, or the closing of the GPU, is red in its place.
    const bool decides = planned.family == Family::core || planned.family == Family::closing;
    if (outcome == Outcome::not_started && planned.family != Family::control)
        return decides ? exit_no_verdict : exit_not_applicable;
    if (outcome == Outcome::not_applicable && !decides && planned.family != Family::control)
        return exit_not_applicable;
    if (!planned.gates) {
        const bool skipped = end.how == ChildEnd::How::exited && end.code == exit_not_applicable;
        return skipped ? exit_not_applicable : exit_held;
    }
    if (is_accepted(planned, outcome)) return exit_held;
    if (planned.family == Family::control) return exit_refuted;
    switch (outcome) {
        case Outcome::not_applicable:
        case Outcome::inconclusive:  // beside these it decides nothing: neither passed nor failed
            return decides ? exit_no_verdict : exit_not_applicable;
        case Outcome::hung:
            return exit_hung;
        case Outcome::unkillable:
            return exit_unkillable;
        default:
            return exit_refuted;
    }
}

int exit_code_of(const Case& planned, const Record& record, const ChildEnd& end) {
    const bool refused = was_refused_by_the_bit(record) && !is_accepted(planned, record.outcome);
    return refused && end.how == ChildEnd::How::exited ? int{exit_not_applicable}
                                                       : exit_code_of(planned, record.outcome, end);
}

}  // namespace peerproof::supervise
