#include "reports/many_sessions/series_comparison.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "session/json.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/many_sessions/series_folder.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;
using sample::observe;

void lose_a_read(Session& session) { observe(session, "core.read.gpu0_to_gpu1", Outcome::missing); }
void lose_a_control(Session& session) { observe(session, "control.positive.gpu0", Outcome::wrong); }

// Runs without a disk: an open bench of two GPUs that was seen `clean` times, and with a lost read `lost` times.
Series series(std::size_t clean, std::size_t lost, const std::string& name) {
    Series made;
    SeriesRun run{.expected = "open"};
    run.fingerprint = {{"gpus", "a, b"}, {"driver", name}};
    for (std::size_t i = 0; i < clean + lost; ++i) {
        run.session = format("{}-{}", name, i);
        run.as_expected = i < clean;
        run.word = run.as_expected ? VerdictWord::open : VerdictWord::silent;
        run.exit_code = run.as_expected ? 0 : 1;
        run.rank = run.as_expected ? 16 : 1;
        made.runs.push_back(run);
    }
    for (const char* check : {"copy", "read", "write"}) {
        SeriesCase one;
        one.planned.family = Family::core;
        one.planned.check = check;
        one.planned.gpus = {0, 1};
        one.planned.id = format("core.{}.gpu0_to_gpu1", check);
        const std::size_t bad = check == std::string("read") ? lost : 0;
        one.outcomes["delivered"] = clean + lost - bad;
        one.goodness[1] = clean + lost - bad;
        if (bad > 0) one.outcomes["missing"] = one.goodness[0] = bad;
        made.cases.push_back(one);
    }
    return made;
}

const SeriesChange* find(const SeriesComparison& comparison, const std::string& where) {
    for (const SeriesChange& change : comparison.changes) {
        if (change.where.find(where) != std::string::npos) return &change;
    }
    return nullptr;
}

TEST(CompareSeries, EnoughRunsDecide) {
    const SeriesComparison worse = compare(series(10, 0, "old"), series(5, 5, "new"));
    const SeriesChange* read = find(worse, "core.read");
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->effect, Effect::worse);
    EXPECT_TRUE(read->decided);
    EXPECT_NEAR(*read->probability, 0.01625,
                1e-5);  // what never failed could accuse nobody, and does not count
    EXPECT_EQ(read->before, "delivered 10");
    EXPECT_EQ(read->after, "delivered 5, missing 5");
    EXPECT_TRUE(find(worse, "verdict")->decided);
    EXPECT_EQ(worse.exit_code(), 1);
    EXPECT_EQ(worse.changes.size(), 2u);
    const SeriesComparison better = compare(series(5, 5, "old"), series(10, 0, "new"));
    EXPECT_EQ(find(better, "core.read")->effect, Effect::better);
    EXPECT_TRUE(find(better, "core.read")->decided);
    EXPECT_EQ(better.exit_code(), 0);
}

// One noisy run decides nothing, and is no pass: so many would.
TEST(CompareSeries, OneNoisyRunIsNotEnough) {
    const SeriesComparison comparison = compare(series(10, 0, "old"), series(9, 1, "new"));
    const SeriesChange* read = find(comparison, "core.read");
    ASSERT_NE(read, nullptr);
    EXPECT_FALSE(read->decided);
    EXPECT_NEAR(*read->probability, 0.5, 1e-9);
    ASSERT_TRUE(read->enough);
    EXPECT_EQ(read->enough->first, 50u);
    EXPECT_EQ(read->enough->second, 50u);
    EXPECT_EQ(comparison.exit_code(), 75);
    const std::string text = comparison_text(comparison);
    for (const char* said :
         {"not decided whether worse: core.read.gpu0_to_gpu1", "50 and 50 runs would tell",
          "result: not decided: 2 differences for the worse, and the evidence is not enough"})
        EXPECT_NE(text.find(said), std::string::npos) << said << "\n" << text;
}

TEST(CompareSeries, TheSameRatesAreTheSame) {
    const SeriesComparison clean = compare(series(10, 0, "old"), series(10, 0, "new"));
    EXPECT_TRUE(clean.changes.empty());
    EXPECT_EQ(clean.exit_code(), 0);
    EXPECT_EQ(clean.checks, 3u);
    EXPECT_EQ(clean.result(),
              "nothing is worse; what never failed in 10 runs may still fail in 25.9 % of them (95 %)");
    EXPECT_TRUE(compare(series(8, 2, "old"), series(4, 1, "new")).changes.empty());
    EXPECT_EQ(compare(series(0, 3, "old"), series(0, 3, "new")).exit_code(), 0);
}

// Chance finds one of many checks: the more could accuse, the more it takes of each.
TEST(CompareSeries, ManyChecksAreNotManyChances) {
    const auto with_flips = [](Series made, bool is_new) {
        for (int i = 0; i < 40; ++i) {
            SeriesCase one = made.cases[1];
            one.planned.id = format("core.read.gpu{}_to_gpu0", i + 1);
            one.goodness = {{0, is_new ? 4 : 0}, {1, is_new ? 6 : 10}};
            made.cases.push_back(one);
        }
        return made;
    };
    EXPECT_TRUE(find(compare(series(10, 0, "old"), series(6, 4, "new")), "core.read.gpu0_to_gpu1")
                    ->decided);  // 0.043
    const SeriesComparison many =
        compare(with_flips(series(10, 0, "old"), false), with_flips(series(6, 4, "new"), true));
    EXPECT_FALSE(find(many, "core.read.gpu1_to_gpu0")->decided);
    EXPECT_GT(*find(many, "core.read.gpu1_to_gpu0")->probability, 0.05);
    // Of 41 tests: 0 of 20 and 8 of 20 come to 0.067, 0 of 30 and 12 of 30 to 0.0025.
    EXPECT_EQ(find(many, "core.read.gpu1_to_gpu0")->enough->first, 30u);
}

// Not as expected in both, and worse: locked became silent.
TEST(CompareSeries, AVerdictMayGetWorseThatNobodyWanted) {
    Series old = series(0, 10, "old"), fresh = series(0, 10, "new");
    for (SeriesRun& run : old.runs) run.word = VerdictWord::locked, run.rank = 4;
    const SeriesComparison comparison = compare(old, fresh);
    ASSERT_NE(find(comparison, "verdict"), nullptr);
    EXPECT_EQ(find(comparison, "verdict")->effect, Effect::worse);
    EXPECT_EQ(comparison.exit_code(), 1);
}

// A way that is refused now is worse than one that delivered, as it is of two sessions.
TEST(CompareSeries, AWayThatSaysNo) {
    Series old = series(10, 0, "old"), fresh = series(10, 0, "new");
    old.cases[0].planned.family = fresh.cases[0].planned.family = Family::way;
    old.cases[0].goodness = {{2, 10}};
    fresh.cases[0].goodness = {{1, 10}};
    const SeriesComparison comparison = compare(old, fresh);
    ASSERT_EQ(comparison.changes.size(), 1u);
    EXPECT_EQ(comparison.changes[0].effect, Effect::worse);
    EXPECT_TRUE(comparison.changes[0].decided);
}

TEST(CompareSeries, RunsWithoutAVerdictAreNoPass) {
    Series fresh = series(10, 0, "new");
    fresh.runs.push_back({.session = "lost"});
    EXPECT_EQ(compare(series(10, 0, "old"), fresh).exit_code(), 75);
    EXPECT_EQ(compare(fresh, series(10, 0, "old")).exit_code(), 0) << "the earlier ones vouch for themselves";
    Series none = series(0, 0, "none");
    EXPECT_EQ(compare(series(10, 0, "old"), none).exit_code(), 75);
    EXPECT_EQ(compare(none, series(10, 0, "new")).exit_code(), 75);
}

TEST(CompareSeries, MediansWithIntervals) {
    const auto measured = [](const std::string& name, const std::string& unit, double from, std::size_t n) {
        Series made = series(10, 0, name);
        SeriesMeasurement one{"measurement.read.gpu0_to_gpu1", "read", unit, {}};
        for (std::size_t i = 0; i < n; ++i) one.values.push_back(from + 0.01 * static_cast<double>(i));
        made.measurements.push_back(one);
        return made;
    };
    const auto moved = [&](const std::string& unit, double from, std::size_t n) {
        const SeriesComparison comparison =
            compare(measured("old", unit, 10, 10), measured("new", unit, from, n));
        return comparison.changes.empty() ? SeriesChange{} : comparison.changes[0];
    };
    EXPECT_EQ(moved("GB/s", 10.05, 10).effect, Effect::other) << "the intervals meet";
    EXPECT_EQ(moved("GB/s", 9, 10).effect, Effect::worse);
    EXPECT_TRUE(moved("GB/s", 9, 10).decided);
    EXPECT_EQ(moved("GB/s", 9, 10).before, "10.04 GB/s (10.01 to 10.08)");
    EXPECT_EQ(moved("GB/s", 11, 10).effect, Effect::better);
    EXPECT_EQ(moved("us", 11, 10).effect, Effect::worse);
    EXPECT_EQ(moved("us", 9, 10).effect, Effect::better);
    EXPECT_FALSE(moved("GB/s", 9, 3).decided);
    EXPECT_EQ(moved("GB/s", 9, 3).enough->first, 6u);
    EXPECT_EQ(compare(measured("old", "GB/s", 10, 10), measured("new", "GB/s", 9, 3)).exit_code(), 75);
    EXPECT_EQ(compare(measured("old", "GB/s", 10, 10), measured("new", "GB/s", 9, 10)).exit_code(), 1);
}

TEST(CompareSeries, WhatIsInOneOnlyIsTold) {
    Series fresh = series(10, 0, "new");
    fresh.cases.pop_back();
    const SeriesComparison comparison = compare(series(10, 0, "old"), fresh);
    EXPECT_EQ(comparison.checks, 2u);
    EXPECT_NE(comparison_text(comparison).find("1 check of one series only, and not compared: core.write"),
              std::string::npos);
    EXPECT_NE(comparison_text(comparison).find("driver: old there, new here"), std::string::npos);
    EXPECT_THROW(compare(fresh, fresh), FormatError);
}

TEST(CompareSeries, HostileTextsStayText) {
    for (const std::string& text : hostile_texts()) {
        Series hostile = series(5, 5, "new");
        hostile.runs[0].session = hostile.runs[0].reason = hostile.runs[0].fingerprint["driver"] = text;
        hostile.measurements = {{"measurement.read.gpu0_to_gpu1", text, text, {1}}};
        Series old = series(10, 0, "old");
        old.measurements = {{"measurement.read.gpu0_to_gpu1", text, text, {2}}};
        const SeriesComparison comparison = compare(old, hostile);
        EXPECT_EQ(comparison_html(comparison).find("<b>x"), std::string::npos);
        EXPECT_TRUE(nlohmann::json::accept(comparison_json(comparison)));
        EXPECT_FALSE(comparison_markdown(comparison).empty());
        EXPECT_EQ(comparison_text(comparison).find('\x1b'), std::string::npos);
    }
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

TEST(CompareSeriesCommand, FoldersAndManySessions) {
    SeriesFolder folder;
    folder.runs(6);
    const fs::path old = folder.path.parent_path() / "old";
    fs::rename(folder.path, old);
    for (int i = 0; i < 6; ++i) folder.run(lose_a_read);
    const std::string files = " --json " + quoted(old / "c.json") + " --html " + quoted(old / "c.html") +
                              " --markdown " + quoted(old / "c.md");
    const Ran ran = run_report("compare " + quoted(old) + " " + quoted(folder.path) + files);
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_NE(ran.output.find("worse: core.read.gpu0_to_gpu1: delivered 6 -> missing 6"), std::string::npos)
        << ran.output;
    const auto json = nlohmann::json::parse(Folder::get(old / "c.json"));
    EXPECT_EQ(json.at("schema"), "peerproof.series_comparison/1");
    EXPECT_EQ(json.at("exit_code"), 1);
    EXPECT_NE(Folder::get(old / "c.md").find("| worse | core.read"), std::string::npos);
    EXPECT_NE(Folder::get(old / "c.html").find("<th scope=\"row\">core.read.gpu0_to_gpu1</th>"),
              std::string::npos);

    const std::string runs = quoted(old / "run01") + " " + quoted(old / "run02");
    const std::string later = quoted(folder.path / "run07") + " " + quoted(folder.path / "run08");
    const Ran few = run_report("compare " + runs + " --with " + later);
    EXPECT_EQ(few.code, 75) << few.output;
    EXPECT_NE(few.output.find("and the evidence is not enough"), std::string::npos) << few.output;
    EXPECT_EQ(run_report("compare " + runs + " " + later).code, 64) << "which are the later ones?";
    EXPECT_EQ(run_report("compare " + runs).code, 0) << "two sessions, as ever";
    EXPECT_EQ(run_report("compare " + quoted(old) + " --with " + quoted(old)).code, 75)
        << "nothing is compared with itself";
}

TEST(CompareSeriesCommand, RefusesOtherBenchesUnlessTold) {
    SeriesFolder folder;
    folder.runs(2).run([](Session& session) { session.plan->environment["driver"] = "580"; });
    const auto run = [&](int number) { return quoted(folder.path / format("run{:02}", number)); };
    const Ran mixed = run_report("compare " + run(1) + " --with " + run(2) + " " + run(3));
    EXPECT_EQ(mixed.code, 64) << "two drivers on one side";
    EXPECT_NE(mixed.output.find("--different-benches"), std::string::npos) << mixed.output;
    EXPECT_EQ(run_report("compare " + run(1) + " " + run(2) + " --with " + run(3)).code, 0)
        << "a driver on each side";
    EXPECT_EQ(run_report("compare --different-benches " + run(1) + " --with " + run(2) + " " + run(3)).code,
              0);
}

TEST(CompareSeriesCommand, ARunWithoutAVerdictAfterwards) {
    SeriesFolder folder;
    folder.runs(3).run(lose_a_control);
    const auto run = [&](int number) { return quoted(folder.path / format("run{:02}", number)); };
    EXPECT_EQ(run_report("compare " + run(1) + " " + run(2) + " --with " + run(3) + " " + run(4)).code, 75);
}

}  // namespace
}  // namespace peerproof
