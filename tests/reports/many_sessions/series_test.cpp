#include "reports/many_sessions/series.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "session/json.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/many_sessions/series_folder.hpp"

namespace peerproof {
namespace {

namespace fs = std::filesystem;
using sample::observe;

const SeriesCase& find(const Series& series, const std::string& id) {
    for (const SeriesCase& one : series.cases) {
        if (one.planned.id == id) return one;
    }
    throw std::runtime_error("no " + id);
}

void lose_a_read(Session& session) { observe(session, "core.read.gpu0_to_gpu1", Outcome::missing); }
void lose_a_control(Session& session) { observe(session, "control.positive.gpu0", Outcome::wrong); }

TEST(Series, OpenNineTimesOfTenIsNotOpen) {
    SeriesFolder folder;
    folder.runs(6).run(lose_a_read).runs(3);
    const Series series = read_series(sessions_in({folder.path}));
    ASSERT_EQ(series.runs.size(), 10u);
    EXPECT_EQ(series.verdict(), VerdictWord::silent);
    EXPECT_EQ(series.exit_code(), 1);
    EXPECT_EQ(series.reason().find("run 7 ("), 0u) << series.reason();
    EXPECT_EQ(series.verdicts(), (std::map<std::string, std::size_t>{{"open", 9}, {"silent", 1}}));
    const SeriesCase& read = find(series, "core.read.gpu0_to_gpu1");
    EXPECT_EQ(read.outcomes, (std::map<std::string, std::size_t>{{"delivered", 9}, {"missing", 1}}));
    EXPECT_EQ(read.runs, (Count{1, 10}));
    EXPECT_EQ(read.failed_in, std::vector<std::size_t>{7});
    EXPECT_TRUE(read.flipped());
    EXPECT_FALSE(find(series, "core.read.gpu1_to_gpu0").flipped());
    EXPECT_EQ(find(series, "core.read.gpu1_to_gpu0").runs, (Count{0, 10}));
    const std::string text = series_text(series);
    for (const char* said : {"silent (10 runs: 9 open, 1 silent)", "39.4 %", "25.9 %",
                             "- core.read.gpu0_to_gpu1: delivered 9, missing 1; failed in run 7",
                             "runs: 10: 9 open, 1 silent\nverdict: silent\nreason: run 7 "})
        EXPECT_NE(text.find(said), std::string::npos) << said << "\n" << text;
}

TEST(Series, CleanRunsAreAsExpectedAndBounded) {
    SeriesFolder folder;
    folder.runs(3);
    const Series series = read_series(sessions_in({folder.path}), 3);
    EXPECT_EQ(series.verdict(), VerdictWord::open);
    EXPECT_TRUE(series.as_expected());
    EXPECT_EQ(series.exit_code(), 0);
    EXPECT_EQ(series.reason(), "");
    EXPECT_TRUE(series.remarks.empty());
    EXPECT_EQ(series.not_as_expected(), (Count{0, 3}));
    ASSERT_EQ(series.pairs.size(), 2u);
    std::size_t steps = 0;
    const Session session = sample::open_session(2);
    for (const Record& record : session.records) {
        if (record.gpus == std::vector{0, 1} &&
            sample::planned(const_cast<Session&>(session), record.case_id).gates)
            steps += record.steps.size();
    }
    EXPECT_EQ(series.pairs[0].operations, (Count{0, 3 * steps}));
    EXPECT_EQ(series.pairs[0].runs, (Count{0, 3}));
    EXPECT_NE(series_text(series).find("- nothing"), std::string::npos);
}

// What a run saw that has no verdict is shown, and vouches for nothing.
TEST(Series, ARunWithoutAVerdictIsNoCleanRun) {
    SeriesFolder folder;
    folder.runs(2).run(lose_a_control);
    const Series series = read_series(sessions_in({folder.path}));
    EXPECT_EQ(series.verdict(), VerdictWord::no_verdict);
    EXPECT_EQ(series.exit_code(), 75);
    EXPECT_EQ(find(series, "core.read.gpu0_to_gpu1").runs, (Count{0, 2}));
    EXPECT_EQ(find(series, "core.read.gpu0_to_gpu1").outcomes.at("delivered"), 3u);
    EXPECT_EQ(series.not_as_expected(), (Count{0, 2}));
}

// A run that says nothing takes back nothing of what another one saw.
TEST(Series, WhatWasSeenStandsBesideARunWithoutAVerdict) {
    SeriesFolder folder;
    folder.run(lose_a_control).run(lose_a_read).runs(1);
    const Series series = read_series(sessions_in({folder.path}), 10);
    EXPECT_EQ(series.verdict(), VerdictWord::silent);
    EXPECT_EQ(series.exit_code(), 1);
}

TEST(Series, AnInterruptedRunAndAnUnreadableOneHaveNoVerdict) {
    for (const char* lost : {"report.json", "plan.json"}) {
        SeriesFolder folder;
        folder.runs(2);
        fs::remove(folder.path / "run01" / lost);
        const Series series = read_series(sessions_in({folder.path}));
        EXPECT_EQ(series.runs.size(), 2u) << lost;
        EXPECT_EQ(series.exit_code(), 75) << lost;
        EXPECT_EQ(series.verdict(), VerdictWord::no_verdict) << lost;
        EXPECT_NE(series.reason().find("no verdict of its own"),
                  lost == std::string("report.json") ? std::string::npos : 0)
            << series.reason();
    }
}

TEST(Series, FewerRunsThanWereAskedForAreNotGreen) {
    SeriesFolder folder;
    folder.runs(3);
    const Series series = read_series(sessions_in({folder.path}), 4);
    EXPECT_EQ(series.verdict(), VerdictWord::no_verdict);
    EXPECT_FALSE(series.as_expected());
    EXPECT_EQ(series.exit_code(), 75);
    EXPECT_EQ(series.reason(), "3 of 4 runs are there");
}

TEST(Series, TheWorstOfAll) {
    const std::pair<std::function<void(Session&)>, VerdictWord> from_the_worst[] = {
        {lose_a_read, VerdictWord::silent},
        {[](Session& s) { observe(s, "core.read.gpu0_to_gpu1", Outcome::hung); }, VerdictWord::hung},
        {[](Session& s) { observe(s, "core.read.gpu0_to_gpu1", Outcome::illegal_address); },
         VerdictWord::partial},
        {lose_a_control, VerdictWord::no_verdict},
        {[](Session&) {}, VerdictWord::open}};
    SeriesFolder folder;
    for (std::size_t i = std::size(from_the_worst); i-- > 0;) {
        folder.run(from_the_worst[i].first);
        EXPECT_EQ(read_series(sessions_in({folder.path})).verdict(), from_the_worst[i].second) << i;
    }
}

// A hang leaves no step of its own, and is an operation that failed.
TEST(Series, OperationsThatFailed) {
    SeriesFolder folder;
    folder.runs(1).run([](Session& session) {
        observe(session, "core.read.gpu0_to_gpu1", Outcome::hung);
        sample::record(session, "core.read.gpu0_to_gpu1").steps.clear();
    });
    const Series series = read_series(sessions_in({folder.path}));
    EXPECT_EQ(find(series, "core.read.gpu0_to_gpu1").operations.failed, 1u);
    EXPECT_EQ(series.pairs.at(0).operations.failed, 1u);
    EXPECT_EQ(series.pairs.at(0).runs, (Count{1, 2}));
}

// What is information, says no where it may, or was not set up is neither clean nor failed.
TEST(Series, WhatCountsNeitherWay) {
    SeriesFolder folder;
    folder.run([](Session& session) {
        sample::add_ways(session);
        observe(session, "way.ipc.gpu0_to_gpu1", Outcome::refused);
        observe(session, "way.vmm.gpu0_to_gpu1", Outcome::not_applicable);
        sample::planned(session, "way.pool.gpu0_to_gpu1").gates = false;
        observe(session, "way.pool.gpu0_to_gpu1", Outcome::wrong);
    });
    const Series series = read_series(sessions_in({folder.path}));
    for (const char* id : {"way.ipc.gpu0_to_gpu1", "way.vmm.gpu0_to_gpu1", "way.pool.gpu0_to_gpu1"})
        EXPECT_EQ(find(series, id).runs, (Count{0, 0})) << id;
    EXPECT_EQ(find(series, "way.graph.gpu0_to_gpu1").runs, (Count{0, 1}));
    EXPECT_NE(series_text(series).find("information"), std::string::npos);
}

TEST(Series, OneBenchOnly) {
    const auto differs = [](const std::function<void(Session&)>& change) {
        SeriesFolder folder;
        folder.runs(1).run(change);
        return why_no_series(read_series(sessions_in({folder.path})));
    };
    EXPECT_EQ(differs([](Session&) {}), "");
    EXPECT_EQ(differs([](Session& s) { s.plan->environment["boot_id"] = "another"; }), "")
        << "a boot is no bench";
    EXPECT_NE(differs([](Session& s) { s.plan->environment["driver"] = "580"; }).find("580 here"),
              std::string::npos);
    EXPECT_NE(differs([](Session& s) { s.plan->gpus[0].uuid = "GPU-another"; }).find("gpus: "),
              std::string::npos);
    EXPECT_NE(differs([](Session& s) {
                  s.plan->simulated = "open-x2";
                  for (Record& record : s.records) record.simulated = "open-x2";
              }).find("simulated"),
              std::string::npos);
    EXPECT_NE(differs([](Session& s) {
                  s = sample::locked_session(2);
                  s.plan->self_check = true;
              }).find("self-check"),
              std::string::npos);
}

TEST(Series, SaysWhatDiffersBetweenRuns) {
    SeriesFolder folder;
    folder.runs(1).run([](Session& session) {
        session.plan->environment["boot_id"] = "b";
        session.plan->large_step_mib = 16;
    });
    const Series series = read_series(sessions_in({folder.path}));
    EXPECT_EQ(series.remarks,
              (std::vector<std::string>{"the boot differs: b (1 run), unknown (1 run)",
                                        "the large step differs: 16 MiB (1 run), 256 MiB (1 run)"}));
}

TEST(Series, EachSessionCountsOnce) {
    SeriesFolder folder;
    folder.runs(2);
    fs::create_directory_symlink("run01", folder.path / "latest");
    EXPECT_EQ(sessions_in({folder.path}).size(), 2u);
    EXPECT_EQ(sessions_in({folder.path, folder.path / "run01", folder.path / "latest"}).size(), 2u);
    fs::copy(folder.path / "run01", folder.path / "copied", fs::copy_options::recursive);
    EXPECT_THROW(read_series(sessions_in({folder.path})), FormatError);
}

TEST(Series, HostileTextsStayText) {
    SeriesFolder folder;
    folder.run(lose_a_read);
    const Series plain = read_series(sessions_in({folder.path}));
    for (const std::string& text : hostile_texts()) {
        Series series = plain;
        SeriesRun& run = series.runs.at(0);
        run.origin = run.session = run.started = run.reason = text;
        run.fingerprint["driver"] = run.fingerprint["gpus"] = text;
        for (SeriesCase& one : series.cases) one.planned.check = one.planned.title = text;
        EXPECT_EQ(series_html(series).find("<b>x"), std::string::npos);
        EXPECT_TRUE(nlohmann::json::accept(series_json(series)));
        EXPECT_FALSE(series_markdown(series).empty());
        EXPECT_EQ(series_text(series).find('\x1b'), std::string::npos);
    }
}

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

TEST(RepeatCommand, ExitCodesAndFiles) {
    SeriesFolder folder;
    folder.runs(2);
    const auto repeat = [&](const std::string& more) {
        return run_report("repeat " + quoted(folder.path) + more);
    };
    EXPECT_EQ(repeat(" --runs 2").code, 0);
    EXPECT_EQ(repeat(" --runs 3").code, 75);
    EXPECT_EQ(repeat(" --runs 0").code, 64);
    folder.run(lose_a_read);
    const Ran ran = repeat(" --out " + quoted(folder.path / "page"));
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_NE(ran.output.find("\nverdict: silent\nreason: run 3 "), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("/page/series.html series.txt series.md series.json\n"), std::string::npos);
    const auto json = nlohmann::json::parse(Folder::get(folder.path / "page/series.json"));
    EXPECT_EQ(json.at("verdict"), "silent");
    EXPECT_EQ(json.at("exit_code"), 1);
    EXPECT_EQ(json.at("verdicts").at("open"), 2);
    EXPECT_EQ(Folder::get(folder.path / "page/series.txt").find("silent (3 runs: 2 open, 1 silent)"), 0u);
    for (const char* page : {"series.html", "series.md"})
        EXPECT_NE(Folder::get(folder.path / "page" / page).find("silent"), std::string::npos) << page;
}

TEST(RepeatCommand, RefusesOtherBenchesUnlessTold) {
    SeriesFolder folder;
    folder.runs(1).run([](Session& session) { session.plan->environment["driver"] = "580"; });
    const Ran refused = run_report("repeat " + quoted(folder.path));
    EXPECT_EQ(refused.code, 64);
    EXPECT_NE(refused.output.find("these are not runs of one bench: sessions "), std::string::npos)
        << refused.output;
    const Ran told = run_report("repeat --different-benches " + quoted(folder.path));
    EXPECT_EQ(told.code, 0) << told.output;
    EXPECT_NE(told.output.find("driver differs"), std::string::npos) << told.output;
}

TEST(RepeatCommand, AFolderWithoutSessions) {
    const Folder folder;
    fs::create_directories(folder.path);
    const Ran ran = run_report("repeat " + quoted(folder.path));
    EXPECT_EQ(ran.code, 75);
    EXPECT_NE(ran.output.find("nor does it hold any"), std::string::npos) << ran.output;
    EXPECT_EQ(run_report("repeat /no/such/place").code, 75);
}

}  // namespace
}  // namespace peerproof
