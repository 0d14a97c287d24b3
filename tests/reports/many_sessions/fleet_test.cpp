#include "reports/many_sessions/fleet.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "reports/judging/judge.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/report_program.hpp"
#include "tests/reports/writing/junit_rules.hpp"

namespace peerproof {
namespace {

Session named(Session session, const std::string& host, const std::string& gpus) {
    session.plan->environment["host"] = host;
    for (Gpu& gpu : session.plan->gpus) gpu.uuid += gpus;
    return session;
}

Session silent() {
    Session session = sample::open_session(2);
    sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::missing);
    return session;
}

TEST(Fleet, TheWorstComesFirst) {
    const JudgedFolder a(named(sample::open_session(2), "good", "-a")), b(named(silent(), "bad", "-b"));
    const Folder empty;
    const Fleet fleet = read_fleet({a.path, b.path, empty.path});
    ASSERT_EQ(fleet.benches.size(), 3u);
    EXPECT_FALSE(fleet.benches[0].judged);
    EXPECT_EQ(fleet.benches[1].host(), "bad");
    EXPECT_EQ(fleet.benches[2].host(), "good");
    EXPECT_EQ(fleet.exit_code(), 75);
    const std::string text = fleet_text(fleet);
    EXPECT_NE(text.find("1 of 3 benches as expected, 1 unreadable"), std::string::npos) << text;
    EXPECT_NE(text.find("No such file"), std::string::npos) << text;
}

TEST(Fleet, AsksWhatWasExpected) {
    Session as_expected = sample::open_session(2);
    sample::observe(as_expected, "core.copy.gpu0_to_gpu1", Outcome::refused);
    as_expected.plan->expectation = Expectation::baseline;
    as_expected.plan->baseline = Baseline{"/lab/report.json", "session monday", {}};
    sample::planned(as_expected, "core.copy.gpu0_to_gpu1").accepted = {Outcome::refused};
    Session not_so = sample::open_session(2);
    not_so.plan->expectation = Expectation::locked;
    const JudgedFolder a(named(as_expected, "partial as expected", "-a")), b(named(not_so, "open", "-b"));
    const Fleet fleet = read_fleet({a.path, b.path});
    ASSERT_TRUE(fleet.benches[1].judged && fleet.benches[1].judged->verdict.as_expected) << fleet_text(fleet);
    EXPECT_EQ(fleet.benches[0].host(), "open");
    EXPECT_EQ(fleet.benches[1].host(), "partial as expected");
}

TEST(Fleet, SaysWhatCameOfTheWaysOfEachBench) {
    Session session = sample::open_session(2);
    sample::add_ways(session);
    session.plan->required_ways = {"ipc"};
    sample::refuse(session, "way.ipc.gpu0_to_gpu1", "cudaIpcOpenMemHandle", "101 cudaErrorInvalidDevice");
    const JudgedFolder folder(named(session, "without ipc", "-a"));
    const Fleet fleet = read_fleet({folder.path});
    EXPECT_EQ(fleet.exit_code(), 1);
    const std::string line =
        "ipc refused 1/2 (cudaIpcOpenMemHandle 101): gpu0_to_gpu1 and delivered 1/2, vmm";
    EXPECT_NE(fleet_html(fleet).find("<td>" + line), std::string::npos);
    EXPECT_NE(fleet_json(fleet).find("\"ways\": \"" + line), std::string::npos);
    EXPECT_NE(fleet_text(fleet).find("ways: ipc refused 1/2"), std::string::npos) << fleet_text(fleet);
    EXPECT_NE(fleet_text(fleet).find("ipc is required, and did not deliver"), std::string::npos);
}

TEST(Fleet, NamesTwinsAndMixedVersions) {
    Session other = named(sample::open_session(2), "two", "-b");
    other.plan->suite = "0.2.0";
    const JudgedFolder a(named(sample::open_session(2), "one", "-a")),
        twin(named(sample::open_session(2), "one", "-a")), b(other);
    const Fleet fleet = read_fleet({a.path, twin.path, b.path});
    ASSERT_EQ(fleet.remarks.size(), 2u) << fleet_text(fleet);
    EXPECT_NE(fleet.remarks[0].find("the same GPUs more than once"), std::string::npos);
    EXPECT_EQ(fleet.remarks[1], "peerproof differs: 0.1.0 (2), 0.2.0 (1)");
}

TEST(Fleet, NeverMixesSimulatedAndRealInSilence) {
    Session simulated = named(sample::open_session(2), "lab", "-s");
    simulated.plan->simulated = "open-x2";
    for (Record& record : simulated.records) record.simulated = "open-x2";
    const JudgedFolder a(named(sample::open_session(2), "one", "-a")), b(simulated);
    const Fleet fleet = read_fleet({a.path, b.path});
    EXPECT_NE(fleet_text(fleet).find("what they ran on differs: a real bench (1), a simulated bench (1)"),
              std::string::npos)
        << fleet_text(fleet);
    EXPECT_NE(fleet_text(fleet).find("SIMULATED open"), std::string::npos);
    EXPECT_NE(fleet_html(fleet).find("SIMULATED benches are among these"), std::string::npos);
}

TEST(Fleet, OneJunitFileOfAll) {
    const JudgedFolder a(named(sample::open_session(2), "good", "-a")), b(named(silent(), "bad", "-b"));
    const Folder empty;
    const std::string text = fleet_junit(read_fleet({a.path, b.path, empty.path}));
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(text.c_str()));
    const auto root = document.child("testsuites");
    int tests = 0, failures = 0, errors = 0;
    for (const auto suite : root.children("testsuite")) {
        for (const auto one : suite.children("testcase")) {
            ++tests;
            failures += one.child("failure") ? 1 : 0;
            errors += one.child("error") ? 1 : 0;
        }
    }
    EXPECT_EQ(root.attribute("tests").as_int(), tests);
    EXPECT_EQ(root.attribute("failures").as_int(), failures);
    EXPECT_EQ(root.attribute("errors").as_int(), errors);
    EXPECT_GE(failures, 1);
    EXPECT_EQ(errors, 1);
    EXPECT_NE(text.find("classname=\"bad.p2p.gpu0_to_gpu1\""), std::string::npos) << text.substr(0, 2000);
}

TEST(Fleet, HostileTextsStayText) {
    for (const std::string& text : hostile_texts()) {
        Session hostile = sample::open_session(2);
        sample::spoil_texts(hostile, text);
        Fleet fleet;
        fleet.benches.push_back(
            {.origin = text, .judged = Judged{text, hostile, judge(hostile)}, .trouble = ""});
        fleet.benches.push_back({.origin = text, .judged = {}, .trouble = text});
        EXPECT_EQ(fleet_html(fleet).find("<b>x"), std::string::npos);
        EXPECT_TRUE(nlohmann::json::accept(fleet_json(fleet)));
        pugi::xml_document document;
        EXPECT_TRUE(document.load_string(fleet_junit(fleet).c_str()));
    }
}

TEST(MergeCommand, WritesEverythingAndTakesTheWorstCode) {
    const JudgedFolder a(named(sample::open_session(2), "good", "-a")), b(named(silent(), "bad", "-b"));
    const std::string out = (a.path / "fleet").string();
    const Ran ran =
        run_report("merge '" + a.path.string() + "' '" + b.path.string() + "' --out '" + out + "'");
    EXPECT_EQ(ran.code, 1) << ran.output;
    for (const char* file : {"fleet.html", "fleet.txt", "fleet.json", "junit.xml"})
        EXPECT_FALSE(Folder::get(a.path / "fleet" / file).empty()) << file;
    EXPECT_EQ(run_report("merge '" + a.path.string() + "' --out '" + out + "'").code, 0);
    EXPECT_EQ(run_report("merge '" + a.path.string() + "' /no/such --out '" + out + "'").code, 75);
    EXPECT_EQ(run_report("merge --out '" + out + "'").code, 64);
}

}  // namespace
}  // namespace peerproof
