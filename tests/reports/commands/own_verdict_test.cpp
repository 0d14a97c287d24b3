// A session that has no verdict of its own is never judged afresh as open by merge, show or compare.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "reports/many_sessions/comparison.hpp"
#include "tests/reports/report_program.hpp"

namespace peerproof {
namespace {

Session whole() {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    sample::add_collective(session);
    sample::add_closing(session);
    return session;
}

void begin_only(const Folder& folder, const std::string& id) {
    auto record = nlohmann::json::parse(Folder::get(folder.record(id)));
    record["state"] = "started";
    Folder::put(folder.record(id), record.dump());
}

struct Row {
    const char* name;
    std::function<void(const Folder&)> spoil;
    const char* reason;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const char* const killed = "started, and ended together with its supervisor: ";

const Row table[] = {
    {"NoReport", [](const Folder& f) { std::filesystem::remove(f.path / "report.json"); },
     "there is no report.json"},
    {"EmptyReport", [](const Folder& f) { Folder::put(f.path / "report.json", ""); }, "report.json"},
    {"ReportOfAnotherSession",
     [](const Folder& f) {
         auto report = nlohmann::json::parse(Folder::get(f.path / "report.json"));
         report["session"] = "another";
         Folder::put(f.path / "report.json", report.dump());
     },
     "'session' is another, not "},
    {"ReportThatSaysMoreThanItsRecords",
     [](const Folder& f) {
         auto record = nlohmann::json::parse(Folder::get(f.record("core.read.gpu0_to_gpu1")));
         record["outcome"] = "missing";
         Folder::put(f.record("core.read.gpu0_to_gpu1"), record.dump());
     },
     "its report.json says open (pairs=2 checks=6 failures=0, as expected), and its records say silent"},
    {"KilledInASum", [](const Folder& f) { begin_only(f, "collective.all_reduce.gpu0_gpu1"); }, killed},
    {"KilledInAMeasurement",
     [](const Folder& f) { begin_only(f, "measurement.read_bandwidth.gpu0_to_gpu1"); }, killed},
    {"KilledAtTheEnd", [](const Folder& f) { begin_only(f, "closing.still_there.gpu0"); },
     "nobody knows whether gpu0 ("},
};

class OwnVerdict : public testing::TestWithParam<Row> {};

TEST_P(OwnVerdict, IsAskedFor) {
    const JudgedFolder good(whole());
    const JudgedFolder folder(whole());
    ASSERT_EQ(run_report("show '" + folder.path.string() + "'").code, 0);
    GetParam().spoil(folder);
    const std::string here = "'" + folder.path.string() + "'", there = "'" + good.path.string() + "'";
    const Judged judged = read_judged(folder.path);
    EXPECT_EQ(judged.verdict.word, VerdictWord::no_verdict);
    EXPECT_FALSE(judged.verdict.as_expected);
    const auto expect_red = [&](const std::string& command) {
        const Ran ran = run_report(command);
        EXPECT_EQ(ran.code, 75) << ran.output;
        EXPECT_NE(ran.output.find("no_verdict"), std::string::npos) << ran.output;
        EXPECT_EQ(ran.output.find("Use it"), std::string::npos) << ran.output;
        return ran.output;
    };
    const std::string shown = expect_red("show " + here);
    std::string all;
    for (const Reason& reason : judged.verdict.reasons) all += reason.text + "\n";
    EXPECT_NE(all.find(GetParam().reason), std::string::npos) << all;
    EXPECT_NE(shown.find("peerproof-report verdict "), std::string::npos) << shown;
    const std::string merged =
        expect_red("merge " + here + " " + there + " --out '" + (folder.path / "fleet").string() + "'");
    EXPECT_NE(merged.find("1 of 2 benches as expected"), std::string::npos) << merged;
    EXPECT_NE(Folder::get(folder.path / "fleet/junit.xml").find("<error type=\"no_verdict\""),
              std::string::npos);
    expect_red("compare " + there + " " + here);
    expect_red("compare " + here + " " + there);
}

INSTANTIATE_TEST_SUITE_P(Table, OwnVerdict, testing::ValuesIn(table),
                         [](const auto& row) { return row.param.name; });

// By hand a session is judged, and has a verdict then: green where every case is there, and else not.
TEST(OwnVerdict, IsGivenByHand) {
    const Folder folder(whole());
    EXPECT_EQ(run_verdict(folder).code, 0);
    EXPECT_EQ(run_report("show '" + folder.path.string() + "'").code, 0);
    begin_only(folder, "collective.all_reduce.bench");
    const Ran ran = run_verdict(folder);
    EXPECT_EQ(ran.code, 75);
    EXPECT_NE(ran.output.find(std::string(killed) + "collective.all_reduce.bench"), std::string::npos)
        << ran.output;
    EXPECT_NE(Folder::get(folder.path / "junit.xml").find("<error"), std::string::npos);
}

TEST(OwnVerdict, OfAReportFileAloneIsThatOfItsRecords) {
    const JudgedFolder folder(whole());
    const auto file = folder.path / "report.json";
    EXPECT_EQ(read_judged(file).no_verdict_of_its_own, "");
    auto report = nlohmann::json::parse(Folder::get(file));
    for (auto& record : report["records"]) {
        if (record.at("case") == "collective.all_reduce.bench") record["state"] = "started";
    }
    Folder::put(file, report.dump());
    EXPECT_EQ(read_judged(file).verdict.word, VerdictWord::no_verdict);
    EXPECT_EQ(
        run_report("merge '" + file.string() + "' --out '" + (folder.path / "fleet").string() + "'").code,
        75);
}

}  // namespace
}  // namespace peerproof
