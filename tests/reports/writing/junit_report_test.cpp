#include "reports/writing/junit_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <pugixml.hpp>

#include "reports/judging/judge.hpp"
#include "session/format.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/sample_session.hpp"
#include "tests/reports/writing/junit_rules.hpp"

namespace peerproof {
namespace {

using Faults = std::vector<std::string>;
using sample::observe;

class Report {
  public:
    explicit Report(const Session& session) : xml(junit_report(judge(session), session)) {
        EXPECT_EQ(junit_faults(xml), Faults{});
        document_.load_buffer(xml.data(), xml.size());
    }

    pugi::xml_node root() const { return document_.document_element(); }
    pugi::xml_node suite(const std::string& name) const {
        return root().find_child_by_attribute("testsuite", "name", name.c_str());
    }
    pugi::xml_node one(const std::string& name) const {
        return root().find_node([&](const auto& node) {
            return std::string(node.name()) == "testcase" && node.attribute("name").value() == name;
        });
    }
    bool is_red() const {
        return root().attribute("failures").as_int() + root().attribute("errors").as_int() > 0;
    }

    const std::string xml;

  private:
    pugi::xml_document document_;
};

TEST(JunitRules, FindFaults) {
    EXPECT_EQ(junit_faults("<testsuites tests='0' failures='0' errors='0'/>"), Faults{});
    for (const char* bad : {"", "<testsuites", "<testsuite name='x' tests='0' failures='0' errors='0'/>",
                            "<testsuites tests='1' failures='0' errors='0'/>",
                            "<testsuites tests='0' failures='0' errors='0' skipped='0'/>",
                            "<testsuites tests='0' failures='0' errors='0'>text</testsuites>",
                            "<testsuites tests='0' failures='0' errors='0' name='&#27;'/>",
                            "<testsuites tests='0' failures='0' errors='0' name='\x1b'/>",
                            "<testsuites tests='0' failures='0' errors='0' name='\xff'/>",
                            "<testsuites tests='0' failures='0' errors='0' time='1e9'/>"}) {
        EXPECT_NE(junit_faults(bad), Faults{}) << bad;
    }
}

TEST(Junit, AnHonestBench) {
    const Report report(sample::open_session(3));
    EXPECT_FALSE(report.is_red());
    // verdict, controls of 3 GPUs, 6 pairs
    EXPECT_EQ(
        std::distance(report.root().children("testsuite").begin(), report.root().children("testsuite").end()),
        10);
    EXPECT_EQ(report.root().attribute("tests").as_int(), 1 + 12 + 24);
    const auto read = report.one("core.read.gpu0_to_gpu1");
    EXPECT_STREQ(read.attribute("classname").value(), "p2p.gpu0_to_gpu1");
    EXPECT_STREQ(read.attribute("time").value(), "0.410");
    EXPECT_STREQ(read.parent().attribute("name").value(), "gpu0_to_gpu1");
    EXPECT_STREQ(report.one("control.fault.gpu2").parent().attribute("name").value(), "controls gpu2");
    const auto properties = report.suite("gpu0_to_gpu1").child("properties");
    const auto property = [&](const char* name) {
        return std::string(properties.find_child_by_attribute("name", name).attribute("value").value());
    };
    EXPECT_EQ(property("bench"), "real");
    EXPECT_EQ(property("simulated"), "no");
    EXPECT_EQ(property("driver"), "13.0");
    EXPECT_EQ(property("verdict"), "open");
    EXPECT_EQ(property("expected"), "open");
    EXPECT_EQ(property("fingerprint").size(), 16u);
    EXPECT_EQ(property("gpu1"), "GPU-00000001-0000-0000-0000-000000000000 0000:02:00.0 GPU");
    EXPECT_EQ(property("gpu2"), "") << "it is no GPU of this pair";
}

// Its GPUs did not answer any more: nothing is known of this pair, and it is not the one that failed.
TEST(Junit, ACaseThatWasNotStartedIsSkipped) {
    Session session = sample::open_session(2);
    Record& record = sample::record(session, "core.write.gpu0_to_gpu1");
    record.outcome = Outcome::not_started;
    record.summary = "gpu0 is in quarantine";
    const Report report(session);
    const auto one = report.one("core.write.gpu0_to_gpu1");
    EXPECT_FALSE(one.child("failure") || one.child("error"));
    EXPECT_STREQ(one.child("skipped").attribute("message").value(), "not_started: gpu0 is in quarantine");
    EXPECT_EQ(report.suite("gpu0_to_gpu1").attribute("skipped").as_int(), 1);
    EXPECT_EQ(report.suite("gpu1_to_gpu0").attribute("skipped").as_int(), 0);
}

// It accuses nobody, so it passes; and what an API call refused is no quiet pass.
TEST(Junit, ARefusedWayIsAFindingUnlessItIsRequired) {
    Session session = sample::open_session(2);
    sample::add_ways(session);
    const char* ipc = "way.ipc.gpu0_to_gpu1";
    sample::refuse(session, ipc, "cudaIpcOpenMemHandle", "101 cudaErrorInvalidDevice");
    {
        const Report report(session);
        const auto one = report.one(ipc);
        EXPECT_FALSE(one.child("failure") || one.child("error") || one.child("skipped"));
        const std::string said = one.child("system-out").text().get();
        EXPECT_TRUE(said.starts_with("FINDING refused: word: cudaIpcOpenMemHandle answered 101")) << said;
        EXPECT_FALSE(report.one("verdict").child("failure"));
    }
    session.plan->required_ways = {"ipc"};
    sample::planned(session, ipc).accepted = {Outcome::delivered};
    const Report report(session);
    EXPECT_STREQ(report.one(ipc).child("failure").attribute("type").value(), "refused");
    const std::string message = report.one("verdict").child("failure").attribute("message").value();
    EXPECT_TRUE(
        message.starts_with("verdict open, expected open, with the ways that are required: ipc is required"))
        << message;
}

TEST(Junit, WhatBeganAndNeverEndedIsAnError) {
    Session session = sample::open_session(2);
    sample::add_collective(session);
    sample::record(session, "collective.all_reduce.bench").finished = false;
    const Report report(session);
    const auto one = report.one("collective.all_reduce.bench");
    EXPECT_STREQ(one.child("error").attribute("message").value(),
                 "started, and ended together with its supervisor");
}

TEST(Junit, TheChecksAtTheEndHaveSuitesOfTheirOwn) {
    Session session = sample::open_session(2);
    Case& last = session.plan->cases.emplace_back(sample::planned(session, "control.positive.gpu0"));
    last.id = "closing.positive.gpu0";
    last.family = Family::closing;
    Record& record = session.records.emplace_back(sample::record(session, "control.positive.gpu0"));
    record.case_id = last.id;
    record.family = Family::closing;
    record.outcome = Outcome::inconclusive;
    const Report report(session);
    const auto one = report.one("closing.positive.gpu0");
    EXPECT_STREQ(one.parent().attribute("name").value(), "closing gpu0");
    EXPECT_TRUE(one.child("error")) << "a GPU that went away";
}

TEST(Junit, MeasurementsArePropertiesOfTheirPair) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    const Report report(session);
    const auto property = [&](const char* suite, const char* name) {
        return std::string(report.suite(suite)
                               .child("properties")
                               .find_child_by_attribute("name", name)
                               .attribute("value")
                               .value());
    };
    const Measurement& measurement =
        sample::record(session, "measurement.read_bandwidth.gpu0_to_gpu1").measurements.front();
    const std::string name = "read_bandwidth." + measurement.name;
    EXPECT_EQ(property("gpu0_to_gpu1", name.c_str()),
              format("{:.4g} GB/s ({:.4g} to {:.4g})", measurement.median, measurement.p5, measurement.p95));
    EXPECT_EQ(property("verdict", name.c_str()), "");
    observe(session, "measurement.read_bandwidth.gpu0_to_gpu1", Outcome::missing);
    EXPECT_FALSE(Report(session)
                     .suite("gpu0_to_gpu1")
                     .child("properties")
                     .find_child_by_attribute("name", name.c_str()))
        << "a measurement without its bytes is none";
}

TEST(Junit, WhatFailedHasItsLogAttachedAsGitLabReadsIt) {
    Session session = sample::open_session(2);
    observe(session, "core.read.gpu0_to_gpu1", Outcome::missing);
    session.seen_from_ci = "runs/gitlab-7";
    const Report report(session);
    const auto attached = [&](const char* id) {
        return std::string(report.one(id).child("system-out").text().get());
    };
    EXPECT_EQ(attached("core.read.gpu0_to_gpu1"),
              "[[ATTACHMENT|runs/gitlab-7/logs/core.read.gpu0_to_gpu1.log]]");
    EXPECT_EQ(attached("verdict"), "[[ATTACHMENT|runs/gitlab-7/report.html]]");
    EXPECT_EQ(attached("core.copy.gpu0_to_gpu1").find("ATTACHMENT"), std::string::npos);
    for (const char* strange : {"a]]b", "a\nb"}) {
        session.seen_from_ci = strange;
        EXPECT_FALSE(Report(session).one("core.read.gpu0_to_gpu1").child("system-out")) << strange;
    }
}

TEST(Junit, ALockedBenchIsGreenWhereItIsExpected) {
    Session session = sample::locked_session(2);
    EXPECT_FALSE(Report(session).is_red());
    session.plan->expectation = Expectation::open;
    for (Case& one : session.plan->cases) {
        if (one.family == Family::core) one.accepted = {Outcome::delivered};
    }
    const Report report(session);
    EXPECT_STREQ(report.one("verdict").child("failure").attribute("type").value(), "locked");
    EXPECT_EQ(report.root().attribute("failures").as_int(), 5);
}

TEST(Junit, EveryOutcomeHasItsElement) {
    const std::pair<Outcome, const char*> table[] = {
        {Outcome::illegal_address, "failure"}, {Outcome::refused, "failure"},   {Outcome::missing, "failure"},
        {Outcome::wrong, "failure"},           {Outcome::hung, "error"},        {Outcome::crashed, "error"},
        {Outcome::unkillable, "error"},        {Outcome::inconclusive, "error"}};
    for (const auto& [outcome, element] : table) {
        Session session = sample::open_session(2);
        observe(session, "core.write.gpu1_to_gpu0", outcome);
        const Report report(session);
        const auto told = report.one("core.write.gpu1_to_gpu0").child(element);
        EXPECT_STREQ(told.attribute("type").value(), std::string(to_string(outcome)).c_str());
        EXPECT_TRUE(std::string(told.attribute("message").value()).starts_with(to_string(outcome)));
        EXPECT_FALSE(std::string(told.text().get()).empty());
        EXPECT_TRUE(report.one("verdict").child("failure") || report.one("verdict").child("error"));
    }
}

TEST(Junit, EvidenceIsAFindingAndPasses) {
    Session session = sample::open_session(2);
    observe(session, "evidence.staged_copy.gpu0_to_gpu1", Outcome::wrong);
    sample::remove_record(session, "evidence.staged_copy.gpu1_to_gpu0");
    const Report report(session);
    EXPECT_FALSE(report.is_red());
    const std::string out = report.one("evidence.staged_copy.gpu0_to_gpu1").child("system-out").text().get();
    EXPECT_TRUE(out.starts_with("FINDING wrong: "));
    EXPECT_NE(out.find("found 0x0000000000000000"), std::string::npos);
    EXPECT_FALSE(report.one("evidence.staged_copy.gpu1_to_gpu0")) << "a case that did not run has not passed";
    const std::string verdict = report.one("verdict").child("system-out").text().get();
    EXPECT_NE(verdict.find("FINDING not run: staged copy: gpu1_to_gpu0"), std::string::npos) << verdict;
}

TEST(Junit, WhatNeverRanIsAnErrorAndNeverSkipped) {
    Session session = sample::open_session(2);
    observe(session, "control.negative.gpu0", Outcome::delivered);
    std::erase_if(session.records, [](const Record& record) { return record.family != Family::control; });
    const Report report(session);
    for (const char* id : {"core.read.gpu0_to_gpu1", "evidence.staged_copy.gpu0_to_gpu1"}) {
        const auto error = report.one(id).child("error");
        EXPECT_STREQ(error.attribute("type").value(), "blocked");
        EXPECT_STREQ(error.attribute("message").value(),
                     "blocked by controls that did not hold: control.negative.gpu0");
    }
    EXPECT_STREQ(report.one("verdict").child("error").attribute("type").value(), "no_verdict");
    EXPECT_TRUE(report.one("control.negative.gpu0").child("failure"));

    Session filtered = sample::open_session(2);
    sample::remove_record(filtered, "core.read.gpu0_to_gpu1");
    EXPECT_STREQ(Report(filtered).one("core.read.gpu0_to_gpu1").child("error").attribute("message").value(),
                 "never run");
}

TEST(Junit, ASimulatedRunIsNeverTakenForARealOne) {
    Session session = sample::open_session(2);
    session.plan->simulated = "open.x2";
    for (Record& record : session.records) record.simulated = "open.x2";
    const Report report(session);
    EXPECT_STREQ(report.root().attribute("name").value(), "SIMULATED open.x2 peerproof");
    for (const auto& suite : report.root().children("testsuite")) {
        EXPECT_TRUE(std::string(suite.attribute("name").value()).starts_with("SIMULATED open.x2 "));
        for (const auto& one : suite.children("testcase"))
            EXPECT_TRUE(
                std::string(one.attribute("classname").value()).starts_with("SIMULATED open_x2.p2p."));
    }
}

TEST(Junit, ASelfCheckIsNeverTakenForABench) {
    for (const bool simulated : {false, true}) {
        Session session = sample::locked_session(2);
        session.plan->self_check = true;
        const std::optional<std::string> bench =
            simulated ? std::optional<std::string>("open-x2") : std::nullopt;
        session.plan->simulated = bench;
        for (Record& record : session.records) record.simulated = bench;
        const Report report(session);
        for (const auto& one :
             report.suite(simulated ? "SIMULATED open-x2 SELF-CHECK verdict" : "SELF-CHECK verdict")) {
            if (std::string(one.name()) != "testcase") continue;
            EXPECT_NE(std::string(one.attribute("classname").value()).find("SELF-CHECK"), std::string::npos);
        }
        EXPECT_TRUE(report.suite(simulated ? "SIMULATED open-x2 SELF-CHECK gpu0_to_gpu1"
                                           : "SELF-CHECK gpu0_to_gpu1"));
    }
}

TEST(Junit, IsRedWheneverTheVerdictIs) {
    const std::function<void(Session&)> spoils[] = {
        [](Session&) {},
        [](Session& s) { s.plan.reset(); },
        [](Session& s) { s.plan->gpus_wanted = 5; },
        [](Session& s) { s.plan->expectation = Expectation::locked; },
        [](Session& s) { s.records.clear(); },
        [](Session& s) {
            s.strays.push_back({"x", "y"});
        },
        [](Session& s) { s.records.push_back(Record(s.records.front())); },
        [](Session& s) { observe(s, "core.copy.gpu0_to_gpu1", Outcome::refused); }};
    for (const auto& spoil : spoils) {
        Session session = sample::open_session(2);
        spoil(session);
        EXPECT_EQ(Report(session).is_red(), judge(session).exit_code != 0);
    }
    EXPECT_TRUE(Report(Session{}).is_red());
}

TEST(Junit, KeepsItsRulesWhateverIsInTheSession) {
    for (const std::string& hostile : hostile_texts()) {
        Session session = sample::open_session(2);
        session.id = session.plan->session = session.plan->started = hostile;
        session.plan->simulated = hostile;
        session.plan->gpus[0].uuid = hostile;
        session.plan->environment = {{"host", hostile}, {"driver", hostile}};
        session.strays.push_back({hostile, hostile});
        for (Record& record : session.records) {
            record.session = session.id;
            record.simulated = hostile;
            observe(session, record.case_id, Outcome::crashed);
            record.summary = record.log = hostile;
            record.seconds = record.check == "read" ? std::nan("") : record.check == "copy" ? -1e300 : 1e300;
            record.steps.push_back(hostile_step(hostile));
        }
        Report report(session);
    }
}

TEST(Junit, SixteenGpusOfLongLogsStayBelowThirtyMegabytes) {
    Session session = sample::open_session(16);
    sample::add_measurements(session);
    sample::add_collective(session);
    ASSERT_GT(session.records.size(), 2000u);
    for (Record& record : session.records) {
        record.outcome = Outcome::crashed;
        record.summary = std::string(1024, '"');
        record.log = std::string(record_log_limit, '&');
    }
    const Report report(session);
    EXPECT_GT(report.xml.size(), 10'000'000u) << "no test of the limit";
}

}  // namespace
}  // namespace peerproof
