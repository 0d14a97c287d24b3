// Every outcome at every kind of case, and all formats say the same of it.
#include "tests/reports/writing/formats_agree.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "reports/judging/judge.hpp"
#include "reports/writing/html/html_report.hpp"
#include "reports/writing/json_report.hpp"
#include "reports/writing/junit_report.hpp"
#include "reports/writing/markdown_report.hpp"
#include "reports/writing/terminal/summary.hpp"
#include "reports/writing/text_report.hpp"
#include "session/format.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

Session whole() {
    Session session = sample::open_session(3);
    sample::add_ways(session);
    sample::add_measurements(session);
    sample::add_collective(session);
    sample::add_crowd(session);
    sample::add_soak(session);
    return session;
}

Formats formats_of(const Session& session) {
    const Verdict verdict = judge(session);
    return {json_report(verdict, session),
            text_report(verdict, session),
            markdown_report(verdict, session),
            html_report(verdict, session),
            junit_report(verdict, session),
            terminal_summary(verdict, session, Paint{}) + closing_lines(verdict, "report.txt")};
}

void expect_agreement(const Session& session) {
    for (const std::string& one : disagreements(formats_of(session))) ADD_FAILURE() << one;
}

TEST(FormatsAgree, OnHealthySessions) {
    expect_agreement(whole());
    Session locked = sample::locked_session(3);
    sample::add_ways(locked);
    sample::add_collective(locked);
    expect_agreement(locked);
}

struct Row {
    Outcome outcome{};
    const char* id = "";
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.id << " " << to_string(row.outcome); }

std::vector<Row> rows() {
    std::vector<Row> all;
    for (int i = 0; i < outcome_count; ++i) {
        for (const char* id :
             {"control.positive.gpu1", "core.copy.gpu0_to_gpu1", "core.write.gpu2_to_gpu0",
              "evidence.staged_copy.gpu1_to_gpu2", "measurement.read_bandwidth.gpu0_to_gpu1",
              "measurement.host_link.gpu0", "measurement.bidirectional_copy_bandwidth.gpu0_gpu1",
              "measurement.staged_copy_bandwidth.gpu0_to_gpu1", "measurement.read_latency.gpu2_to_gpu1",
              "collective.all_reduce.gpu0_gpu1", "collective.all_reduce.bench", "way.ipc.gpu0_to_gpu1",
              "way.graph.gpu2_to_gpu1"})
            all.push_back({static_cast<Outcome>(i), id});
    }
    return all;
}

class FormatsAgree : public testing::TestWithParam<Row> {};

TEST_P(FormatsAgree, OnEveryOutcome) {
    Session session = whole();
    sample::record(session, GetParam().id).outcome = GetParam().outcome;
    expect_agreement(session);
}

std::string name_of(const testing::TestParamInfo<Row>& row) {
    std::string name = format("{}_{}", to_string(row.param.outcome), row.param.id);
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Table, FormatsAgree, testing::ValuesIn(rows()), name_of);

TEST(FormatsAgree, OnMeasurementsBeyondTheirCeilings) {
    Session session = whole();
    for (const char* id :
         {"measurement.copy_bandwidth.gpu0_to_gpu1", "measurement.staged_copy_bandwidth.gpu1_to_gpu2"})
        sample::record(session, id).measurements.at(0).median = 6.7;
    expect_agreement(session);
    sample::record(session, "measurement.copy_bandwidth.gpu0_to_gpu1").outcome = Outcome::missing;
    expect_agreement(session);
}

TEST(FormatsAgree, OnWaysThatAreRequiredOrLeftOut) {
    Session session = whole();
    session.plan->required_ways = {"ipc", "vmm"};
    sample::planned(session, "way.ipc.gpu0_to_gpu1").accepted = {Outcome::delivered};
    sample::refuse(session, "way.ipc.gpu0_to_gpu1", "cudaIpc<Open>MemHandle&", "101 cudaErrorInvalidDevice");
    expect_agreement(session);
    std::erase_if(session.plan->cases, [](const Case& one) { return one.family == Family::way; });
    std::erase_if(session.records, [](const Record& one) { return one.family == Family::way; });
    session.plan->not_run["ways"] = "PEERPROOF_WAYS is off";
    expect_agreement(session);
    session.plan->required_ways.clear();
    expect_agreement(session);
}

TEST(FormatsAgree, OnUnknownCeilings) {
    Session session = whole();
    session.plan->links.at(0).host_link = "C2C (NVML)";
    expect_agreement(session);
}

TEST(FormatsAgree, OnWhatASweepReached) {
    Session session = whole();
    for (const char* id : {"core.read.gpu0_to_gpu1", "core.write.gpu1_to_gpu2"}) {
        Step step{.name = "sweep", .outcome = Outcome::delivered, .bytes = 32768 * 8};
        step.reached_bytes = std::uint64_t{60} << 30;
        step.memory_bytes = std::uint64_t{64} << 30;
        sample::record(session, id).steps.push_back(step);
    }
    expect_agreement(session);
}

// The checker is one: a format that tells another story is found.
TEST(FormatsAgree, IsNotSaidOfReportsThatDiffer) {
    const Formats good = formats_of(whole());
    Session other = whole();
    sample::observe(other, "core.read.gpu0_to_gpu1", Outcome::wrong);
    sample::record(other, "measurement.read_bandwidth.gpu0_to_gpu1").outcome = Outcome::missing;
    const Formats bad = formats_of(other);
    EXPECT_TRUE(disagreements(good).empty());
    Session lying = whole();
    sample::observe(lying, "way.ipc.gpu0_to_gpu1", Outcome::refused);  // which changes no verdict
    for (auto part : {&Formats::text, &Formats::markdown, &Formats::html, &Formats::junit, &Formats::show}) {
        Formats mixed = formats_of(lying);
        mixed.*part = good.*part;
        EXPECT_FALSE(disagreements(mixed).empty());
    }
    for (auto part : {&Formats::text, &Formats::markdown, &Formats::html, &Formats::junit, &Formats::show}) {
        Formats mixed = bad;
        mixed.*part = good.*part;
        EXPECT_FALSE(disagreements(mixed).empty());
    }
}

}  // namespace
}  // namespace peerproof
