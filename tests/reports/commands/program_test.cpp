// The program itself: exit codes, what is printed first, and reports that cannot be written.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "session/format.hpp"
#include "tests/reports/report_program.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

TEST(Verdict, ExitCodes) {
    const Folder open(sample::open_session(2));
    EXPECT_EQ(run_verdict(open).code, 0);
    Session closed = sample::locked_session(2);
    EXPECT_EQ(run_verdict(Folder(closed)).code, 0);
    closed.plan->expectation = Expectation::open;
    EXPECT_EQ(run_verdict(Folder(closed)).code, 1);
    sample::observe(closed, "core.read.gpu0_to_gpu1", Outcome::inconclusive);
    EXPECT_EQ(run_verdict(Folder(closed)).code, 75);
}

TEST(Verdict, PrintsTheVerdictFirstAndWritesThreeReports) {
    const Folder folder(sample::open_session(2));
    const Ran ran = run_verdict(folder);
    EXPECT_TRUE(
        ran.output.starts_with("signature: pairs=2 checks=6 failures=0\nverdict: open\nexpected: open\n"));
    EXPECT_TRUE(Folder::get(folder.path / "report.txt").starts_with("Check "));
    EXPECT_TRUE(
        Folder::get(folder.path / "junit.xml").starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    EXPECT_EQ(nlohmann::json::parse(Folder::get(folder.path / "report.json")).at("verdict"), "open");
}

TEST(Verdict, MakesTheFolderThatIsNotThere) {
    const Folder folder;
    const Ran ran = run_verdict(folder);
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(ran.output.starts_with(
        "signature: unknown\nverdict: no_verdict\nexpected: unknown\nreason: there is no "));
    for (const char* file : {"report.txt", "report.html", "report.md", "report.json", "junit.xml"})
        EXPECT_TRUE(fs::exists(folder.path / file)) << file;
    EXPECT_EQ(run_report("lines " + quoted(folder.path)).code, 75);
}

TEST(Verdict, OfAnotherSession) {
    const Folder folder(sample::open_session(2));
    const Ran ran = run_report("verdict " + quoted(folder.path) + " --session other");
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(says(ran.output, "not of other"));
}

TEST(Verdict, OfReportsThatCannotBeWritten) {
    for (const char* file : {"report.txt", "report.html", "report.md", "report.json", "junit.xml"}) {
        const Folder folder(sample::open_session(2));
        fs::create_directories(folder.path / file / "in the way");
        const Ran ran = run_verdict(folder);
        EXPECT_EQ(ran.code, 75) << file;
        EXPECT_TRUE(says(ran.output, "verdict: no_verdict")) << ran.output;
        EXPECT_TRUE(says(ran.output, "a report could not be written: ")) << ran.output;
        EXPECT_TRUE(says(ran.output, file)) << ran.output;
        EXPECT_FALSE(says(ran.output, "verdict: open"));
        EXPECT_EQ(run_report("lines " + quoted(folder.path)).code, 75) << file;
    }
}

TEST(Verdict, OnAFullDisk) {
    const Folder folder(sample::open_session(2));
    EXPECT_EQ(run_verdict(folder).code, 0);
    const Ran ran = run_verdict(folder, "ulimit -f 0;");  // no file may grow
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(says(ran.output, "a report could not be written")) << ran.output;
    EXPECT_FALSE(fs::exists(folder.path / "report.json")) << "the report of an earlier verdict stands";
    for (const auto& entry : fs::directory_iterator(folder.path))
        EXPECT_FALSE(says(entry.path().filename(), ".tmp.")) << entry.path();
}

TEST(Verdict, WhereTheFolderIsAFile) {
    const Folder folder;
    Folder::put(folder.path, "x");
    EXPECT_EQ(run_verdict(folder).code, 75);
}

TEST(Verdict, WithNobodyReading) {
    const Folder folder(sample::open_session(2));
    (void)run_report("verdict " + quoted(folder.path) + " --session " + sample::session_id + " >/dev/full");
    EXPECT_TRUE(fs::exists(folder.path / "report.json"));
}

TEST(Lines, AreThoseOfTheReport) {
    Session session = sample::locked_session(3);
    session.plan->expectation = Expectation::open;
    const Folder folder(session);
    run_verdict(folder);
    const Ran ran = run_report("lines " + quoted(folder.path));
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.output,
              "signature: pairs=6 checks=18 failures=12\nverdict: locked\nreason: every read and every "
              "write ended in an illegal address\nreports: " +
                  folder.path.string() + "/report.txt report.html report.md report.json junit.xml\n");
}

TEST(Lines, OfASimulatedBenchSaySo) {
    Session session = sample::open_session(2);
    session.plan->simulated = "open-x2";
    for (Record& record : session.records) record.simulated = "open-x2";
    const Folder folder(session);
    EXPECT_EQ(run_verdict(folder).code, 0);
    const Ran ran = run_report("lines " + quoted(folder.path));
    EXPECT_EQ(ran.code, 0);
    EXPECT_TRUE(ran.output.starts_with("SIMULATED BENCH open-x2: "));
}

TEST(Lines, WithoutAReport) {
    const Folder folder;
    Ran ran = run_report("lines " + quoted(folder.path));
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(ran.output.starts_with("signature: unknown\nverdict: no_verdict\nreason: ")) << ran.output;
    for (const char* text :
         {"", "{}", "[[[", "{\"schema\": \"peerproof.report/1\", \"verdict\": \"open\"}"}) {
        Folder::put(folder.path / "report.json", text);
        ran = run_report("lines " + quoted(folder.path));
        EXPECT_EQ(ran.code, 75) << text;
        EXPECT_TRUE(says(ran.output, "report.json")) << ran.output;
    }
}

TEST(Show, PrintsTheEndOfTheRunOnceMoreOrTheWholeReport) {
    const Folder folder(sample::open_session(2));
    EXPECT_EQ(run_report("show --all " + quoted(folder.path)).code, 75);
    // Killed before its verdict: what is there is shown, and nothing is called open.
    const Ran killed = run_report("show " + quoted(folder.path));
    EXPECT_EQ(killed.code, 75);
    EXPECT_TRUE(says(killed.output, "verdict: no_verdict\nreason: the session has no verdict of its own: "))
        << killed.output;
    EXPECT_TRUE(says(killed.output,
                     "peerproof-report verdict " + quoted(folder.path) + " --session " + sample::session_id))
        << killed.output;
    EXPECT_FALSE(says(killed.output, "Use it")) << killed.output;
    run_verdict(folder);
    EXPECT_EQ(run_report("show --all " + quoted(folder.path)).output,
              Folder::get(folder.path / "report.txt"));
    const Ran ran = run_report("show " + quoted(folder.path));
    EXPECT_EQ(ran.code, 0);
    EXPECT_TRUE(says(ran.output, "gpu0       .  crw")) << ran.output;
    EXPECT_TRUE(ran.output.ends_with(run_report("lines " + quoted(folder.path)).output)) << ran.output;
    EXPECT_EQ(run_report("show /nowhere").code, 75);
    // What was judged is not what lies there now.
    Folder::put(folder.record("core.read.gpu0_to_gpu1"), "spoilt");
    const Ran spoilt = run_report("show " + quoted(folder.path));
    EXPECT_EQ(spoilt.code, 75);
    EXPECT_TRUE(says(spoilt.output, "records/core.read.gpu0_to_gpu1.json: ")) << spoilt.output;
    EXPECT_TRUE(says(spoilt.output, "verdict: no_verdict")) << spoilt.output;
    std::filesystem::remove(folder.path / "plan.json");
    EXPECT_EQ(run_report("show " + quoted(folder.path)).output,
              run_report("lines " + quoted(folder.path)).output);
}

TEST(VerdictCommand, PathsForCiAreSeenFromTheFolderOfTheJob) {
    Session session = sample::open_session(2);
    sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::missing);
    const Folder folder(session);
    const auto junit = [&](const std::string& before) {
        run_verdict(folder, before);
        return Folder::get(folder.path / "junit.xml");
    };
    const std::string whole = "[[ATTACHMENT|" + folder.path.string() + "/logs/core.read.gpu0_to_gpu1.log]]";
    const char* part = "[[ATTACHMENT|session/logs/core.read.gpu0_to_gpu1.log]]";
    EXPECT_TRUE(says(junit("env -u CI_PROJECT_DIR -u WORKSPACE"), whole));
    for (const char* name : {"CI_PROJECT_DIR", "WORKSPACE"})
        EXPECT_TRUE(says(junit(format("env -u CI_PROJECT_DIR -u WORKSPACE {}={}", name,
                                      quoted(folder.path.parent_path()))),
                         part));
    EXPECT_TRUE(says(junit("env -u WORKSPACE CI_PROJECT_DIR=/elsewhere"), whole));
}

TEST(CommandLine, NamesWhatThereIsNotAndThreeThatAreNear) {
    EXPECT_TRUE(says(run_report("bogus").output, "there is no command 'bogus'. Nearest are: lines, "));
    EXPECT_TRUE(says(run_report("verdct x --session y").output, "'verdct'. Nearest are: verdict, "));
    EXPECT_TRUE(
        says(run_report("verdict x --sesion=y").output, "no option '--sesion'. Nearest are: --session, "));
    EXPECT_FALSE(says(run_report("verdict x").output, "there is no")) << "only what is missing is missing";
    const std::string text = run_report("bogus").output;
    EXPECT_EQ(std::count(text.begin(), text.end(), ','), 2) << text;
}

TEST(CommandLine, Usage) {
    EXPECT_EQ(run_report("--help").code, 0);
    EXPECT_EQ(run_report("verdict --help").code, 0);
    for (const char* wrong :
         {"", "judge x", "verdict", "verdict x", "verdict x --session", "verdict x --session y --z",
          "verdict x y --session z", "lines", "lines x y", "show", "--verbose", "verdict '' --session y"})
        EXPECT_EQ(run_report(wrong).code, 64) << wrong;
}

}  // namespace
}  // namespace peerproof
