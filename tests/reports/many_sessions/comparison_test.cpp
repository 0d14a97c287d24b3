#include "reports/many_sessions/comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/judging/judge.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/report_program.hpp"

namespace peerproof {
namespace {

using sample::observe;

Judged judged(Session session) { return {"somewhere", session, judge(session)}; }

Session with_measurements() {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    return session;
}

const Change* find(const Comparison& comparison, const std::string& kind, const std::string& where) {
    for (const Change& change : comparison.changes) {
        if (change.kind == kind && change.where.find(where) != std::string::npos) return &change;
    }
    return nullptr;
}

TEST(Compare, TheSameIsTheSame) {
    const Comparison comparison = compare(judged(with_measurements()), judged(with_measurements()));
    EXPECT_TRUE(comparison.changes.empty());
    EXPECT_FALSE(comparison.worse());
    EXPECT_NE(comparison_text(comparison).find("nothing changed"), std::string::npos);
}

TEST(Compare, ChecksFlipEachWay) {
    Session good = sample::open_session(2), bad = good;
    observe(bad, "core.read.gpu0_to_gpu1", Outcome::missing);
    const Comparison down = compare(judged(good), judged(bad)), up = compare(judged(bad), judged(good));
    ASSERT_NE(find(down, "check", "core.read.gpu0_to_gpu1"), nullptr);
    EXPECT_EQ(find(down, "check", "core.read")->effect, Effect::worse);
    EXPECT_EQ(find(down, "check", "core.read")->after, "missing");
    EXPECT_EQ(find(down, "verdict", "verdict")->effect, Effect::worse);
    EXPECT_TRUE(down.worse());
    EXPECT_EQ(find(up, "check", "core.read")->effect, Effect::better);
    EXPECT_FALSE(up.worse());
}

// What says no is worse than what delivers, and better than what lies or is not known.
TEST(Compare, WaysGetWorseAndBetter) {
    Session delivers = sample::open_session(2);
    sample::add_ways(delivers);
    const auto with = [&](Outcome outcome) {
        Session session = delivers;
        observe(session, "way.ipc.gpu0_to_gpu1", outcome);
        return session;
    };
    const auto effect = [&](const Session& was, const Session& is) {
        const Comparison comparison = compare(judged(was), judged(is));
        const Change* change = find(comparison, "check", "way.ipc.gpu0_to_gpu1");
        return change == nullptr ? Effect::other : change->effect;
    };
    EXPECT_EQ(effect(delivers, with(Outcome::refused)), Effect::worse);
    EXPECT_EQ(effect(with(Outcome::refused), delivers), Effect::better);
    EXPECT_EQ(effect(delivers, with(Outcome::not_applicable)), Effect::worse);
    EXPECT_EQ(effect(with(Outcome::refused), with(Outcome::not_applicable)), Effect::other);
    EXPECT_EQ(effect(with(Outcome::refused), with(Outcome::wrong)), Effect::worse);
    EXPECT_EQ(effect(with(Outcome::refused), with(Outcome::not_started)), Effect::worse);
    EXPECT_EQ(effect(with(Outcome::illegal_address), with(Outcome::refused)), Effect::better);
}

// A requirement that is not met any more is no other word, and worse.
TEST(Compare, ARequiredWayThatIsRefusedNowIsWorse) {
    Session was = sample::open_session(2);
    sample::add_ways(was);
    was.plan->required_ways = {"ipc"};
    Session is = was;
    observe(is, "way.ipc.gpu0_to_gpu1", Outcome::refused);
    const Comparison comparison = compare(judged(was), judged(is));
    ASSERT_NE(find(comparison, "verdict", "verdict"), nullptr);
    EXPECT_EQ(find(comparison, "verdict", "verdict")->before, "open, as expected");
    EXPECT_EQ(find(comparison, "verdict", "verdict")->after, "open");
    EXPECT_EQ(find(comparison, "verdict", "verdict")->effect, Effect::worse);
}

// Open where locked was expected is not as expected, and still better than what contradicts itself.
TEST(Compare, OpenThatBecomesSuspectIsWorseWhateverWasExpected) {
    Session was = with_measurements();
    was.plan->expectation = Expectation::locked;
    Session is = was;
    sample::record(is, "measurement.read_bandwidth.gpu0_to_gpu1").outcome = Outcome::wrong;
    ASSERT_EQ(judge(is).word, VerdictWord::suspect);
    ASSERT_FALSE(judge(was).as_expected);
    const Comparison comparison = compare(judged(was), judged(is));
    ASSERT_NE(find(comparison, "verdict", "verdict"), nullptr);
    EXPECT_EQ(find(comparison, "verdict", "verdict")->effect, Effect::worse);
}

TEST(Compare, AnotherFailureIsNeitherWorseNorBetter) {
    Session was = sample::open_session(2), is = was;
    observe(was, "core.read.gpu0_to_gpu1", Outcome::illegal_address);
    observe(is, "core.read.gpu0_to_gpu1", Outcome::refused);
    EXPECT_EQ(find(compare(judged(was), judged(is)), "check", "core.read")->effect, Effect::other);
}

TEST(Compare, AMeasurementMovesWhereTheSpreadsDoNotMeet) {
    const auto moved = [](double p5, double median, double p95, const char* id) {
        Session now = with_measurements();
        Measurement& measurement = sample::record(now, id).measurements.at(0);
        measurement.p5 = p5;
        measurement.median = median;
        measurement.p95 = p95;
        const Comparison comparison = compare(judged(with_measurements()), judged(now));
        const Change* change = find(comparison, "measurement", id);
        return change == nullptr                 ? std::string("still")
               : change->effect == Effect::worse ? "worse"
                                                 : "better";
    };
    EXPECT_EQ(moved(1.60, 1.65, 1.70, "measurement.copy_bandwidth.gpu0_to_gpu1"), "still");  // 1.68 before
    EXPECT_EQ(moved(1.50, 1.55, 1.60, "measurement.copy_bandwidth.gpu0_to_gpu1"), "worse");
    EXPECT_EQ(moved(1.70, 1.75, 1.80, "measurement.copy_bandwidth.gpu0_to_gpu1"), "better");
    EXPECT_EQ(moved(1.40, 1.50, 1.60, "measurement.read_latency.gpu0_to_gpu1"), "worse");  // 1.3 us before
    EXPECT_EQ(moved(1.00, 1.10, 1.20, "measurement.read_latency.gpu0_to_gpu1"), "better");
}

TEST(Compare, WhatTheMachineSaysDiffersAndIsNeither) {
    Session was = sample::open_session(2), is = was;
    is.plan->environment["driver"] = "13.1";
    is.plan->environment["boot_id"] = "another";
    was.plan->hints = {{"vbios", 0, Hint::none, "96.00", "NVML"}};
    is.plan->hints = {{"vbios", 0, Hint::none, "97.00", "NVML"}};
    const Comparison comparison = compare(judged(was), judged(is));
    ASSERT_EQ(comparison.changes.size(), 3u) << comparison_text(comparison);
    EXPECT_EQ(find(comparison, "environment", "boot_id")->after, "another");
    EXPECT_EQ(find(comparison, "environment", "driver")->after, "13.1");
    EXPECT_EQ(find(comparison, "hint", "vbios gpu0")->before, "96.00");
    EXPECT_FALSE(comparison.worse());
}

TEST(Compare, OtherBenchesAreNotCompared) {
    Session other = sample::open_session(2);
    other.plan->gpus[1].uuid = "GPU-another";
    EXPECT_NE(why_not_comparable(judged(sample::open_session(2)), judged(other)).find("different GPUs"),
              std::string::npos);
    Session simulated = sample::open_session(2);
    simulated.plan->simulated = "open-x2";
    EXPECT_NE(why_not_comparable(judged(sample::open_session(2)), judged(simulated)).find("simulated"),
              std::string::npos);
    Session check = sample::locked_session(2);
    check.plan->self_check = true;
    EXPECT_NE(why_not_comparable(judged(sample::locked_session(2)), judged(check)).find("self-check"),
              std::string::npos);
    EXPECT_EQ(why_not_comparable(judged(sample::open_session(2)), judged(sample::locked_session(2))), "");
}

TEST(Compare, HostileTextsStayText) {
    for (const std::string& text : hostile_texts()) {
        Session hostile = with_measurements();
        sample::spoil_texts(hostile, text);
        const Comparison comparison = compare(judged(with_measurements()), judged(hostile));
        EXPECT_EQ(comparison_html(comparison).find("<b>x"), std::string::npos);
        EXPECT_TRUE(nlohmann::json::accept(comparison_json(comparison)));
        EXPECT_FALSE(comparison_markdown(comparison).empty());
    }
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

TEST(CompareCommand, ExitCodesAndFiles) {
    const JudgedFolder before(sample::open_session(2));
    Session changed = sample::open_session(2);
    observe(changed, "core.write.gpu1_to_gpu0", Outcome::wrong);
    const JudgedFolder after(changed);
    EXPECT_EQ(run_report("compare " + quoted(before.path) + " " + quoted(before.path)).code, 0);
    const auto file = [&](const char* name) { return after.path / name; };
    const Ran ran = run_report("compare " + quoted(before.path) + " " + quoted(after.path) + " --markdown " +
                               quoted(file("c.md")) + " --json " + quoted(file("c.json")) + " --html " +
                               quoted(file("c.html")));
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_NE(ran.output.find("worse: core.write.gpu1_to_gpu0: delivered -> wrong"), std::string::npos)
        << ran.output;
    EXPECT_EQ(nlohmann::json::parse(Folder::get(file("c.json"))).at("worse"), true);
    EXPECT_NE(Folder::get(file("c.md")).find("| worse | core.write"), std::string::npos);
    EXPECT_NE(Folder::get(file("c.html")).find("<th scope=\"row\">core.write.gpu1_to_gpu0</th>"),
              std::string::npos);
    EXPECT_EQ(run_report("compare " + quoted(after.path) + " " + quoted(before.path)).code, 0)
        << "for the better";
}

TEST(CompareCommand, TakesTheReportInPlaceOfTheFolder) {
    const Folder folder(sample::open_session(2));
    ASSERT_EQ(run_verdict(folder).code, 0);
    EXPECT_EQ(run_report("compare " + quoted(folder.path) + " " + quoted(folder.path / "report.json")).code,
              0);
}

TEST(CompareCommand, RefusesOtherBenchesUnlessTold) {
    Session other = sample::open_session(2);
    other.plan->gpus[0].uuid = "GPU-another";
    const JudgedFolder a(sample::open_session(2)), b(other);
    const Ran refused = run_report("compare " + quoted(a.path) + " " + quoted(b.path));
    EXPECT_EQ(refused.code, 64);
    EXPECT_NE(refused.output.find("--different-benches"), std::string::npos);
    EXPECT_EQ(run_report("compare --different-benches " + quoted(a.path) + " " + quoted(b.path)).code, 0);
}

TEST(CompareCommand, WhatCannotBeReadIsNamed) {
    const Folder good(sample::open_session(2)), bad(sample::open_session(2));
    ASSERT_EQ(run_verdict(bad).code, 0);
    const auto report = bad.path / "report.json";
    const std::string text = Folder::get(report);
    const std::pair<const char*, std::string> table[] = {
        {"truncated", text.substr(0, text.size() / 2)},
        {"empty", ""},
        {"deep", std::string(100'000, '[')},
        {"schema", "{\"schema\": \"peerproof.report/99\"}"},
        {"control", "\x01\x02"},
    };
    for (const auto& [name, content] : table) {
        Folder::put(report, content);
        const Ran ran = run_report("compare " + quoted(good.path) + " " + quoted(report));
        EXPECT_EQ(ran.code, 75) << name << ran.output;
        EXPECT_NE(ran.output.find("report.json"), std::string::npos) << name << ran.output;
    }
    EXPECT_EQ(run_report("compare " + quoted(good.path) + " /no/such/place").code, 75);
}

}  // namespace
}  // namespace peerproof
