// What supervise makes of a soak: its record grows on disk, it is asked to end before it is killed, and what it had is kept.
#include "tests/ctest/supervise_run.hpp"

namespace peerproof::supervise {
namespace {

class SuperviseSoak : public SuperviseRun {
  protected:
    static constexpr const char* rounds = "soak.rounds.bench";

    void SetUp() override {
        Case soak = sample::make_case(rounds, Family::soak, "rounds", {0, 1});
        plan.cases.push_back(soak);
        plan.soak_s = 1;
        SuperviseRun::SetUp();
    }

    Record said(std::uint64_t rounds_so_far, Outcome outcome = Outcome::inconclusive) const {
        Record record = started_record(plan, *plan.find(rounds));
        record.outcome = outcome;
        record.soak = Soak{.seed = 77, .planned_s = 60, .seconds = 3, .rounds = rounds_so_far};
        record.soak->pairs = {{0, 1, 512, {1, 0, 0}, {}}};
        record.soak->operations = 1;
        record.soak->bytes = 512;
        record.summary = soak_text(*record.soak);
        return record;
    }
    // Shell words that send it.
    std::string sends(const Record& record, const char* name) const {
        write_file_atomically(folder / name, to_json(record).dump() + "\n");
        return "cat " + shell_quoted(folder / name) + " >&3; ";
    }
    std::string until_on_disk(const char* text) const {
        return "until grep -q " + shell_quoted(text) + " " + shell_quoted(record_file(rounds)) +
               "; do :; done; ";
    }
};

TEST_F(SuperviseSoak, ItsRecordGrowsOnDisk) {
    Record done = said(8, Outcome::delivered);
    done.finished = true;
    // It would wait for ever for a record that is written at its end.
    const auto ran = run(rounds, sends(said(7), "so far") + until_on_disk("\"rounds\": 7") +
                                     "grep -q '\"state\": \"started\"' " + shell_quoted(record_file(rounds)) +
                                     " || exit 1; " + sends(done, "done") + "exit 0");
    EXPECT_EQ(ran.code, 0) << ran.output;
    EXPECT_EQ(record(rounds).outcome, Outcome::delivered);
    ASSERT_TRUE(record(rounds).soak.has_value());
    EXPECT_EQ(record(rounds).soak->rounds, 8u);
}

TEST_F(SuperviseSoak, KilledItShowsWhatItHad) {
    run(rounds, sends(said(7), "so far") + "kill -9 $$");
    const Record left = record(rounds);
    EXPECT_TRUE(left.finished);
    EXPECT_EQ(left.outcome, Outcome::crashed);
    EXPECT_TRUE(holds(left.summary, "ended by SIGKILL")) << left.summary;
    EXPECT_TRUE(holds(left.summary, "3 s, 7 rounds, 1 operations, 512 bytes verified")) << left.summary;
    ASSERT_TRUE(left.soak.has_value());
    EXPECT_EQ(left.soak->rounds, 7u);
}

TEST_F(SuperviseSoak, WhatWasWrongBeforeItWasKilledStays) {
    Record wrong = said(7, Outcome::missing);
    wrong.steps = {{.name = "gpu0_to_gpu1 load", .outcome = Outcome::missing, .bytes = 512}};
    run(rounds, sends(wrong, "wrong") + "kill -9 $$");
    EXPECT_EQ(record(rounds).outcome, Outcome::missing);
}

TEST_F(SuperviseSoak, ThatIsToStopIsAskedAndSaysHowFarItCame) {
    Record cut = said(9);
    cut.finished = true;
    cut.soak->cut_short = "interrupted";
    cut.summary = soak_text(*cut.soak);
    const std::string ends = "trap " + shell_quoted(sends(cut, "cut") + "exit 1") + " TERM; ";
    // The child itself stops its supervisor, whose process is its parent.
    const auto ran = run(rounds, ends + sends(said(7), "so far") + "kill -INT $PPID; while :; do :; done");
    const Record left = record(rounds);
    EXPECT_EQ(left.outcome, Outcome::inconclusive);
    EXPECT_TRUE(holds(left.summary, "interrupted after 3 s of 1 min 00 s, 9 rounds")) << left.summary;
    EXPECT_NE(ran.code, 0);
}

TEST_F(SuperviseSoak, OthersAreNotAsked) {
    const auto ran = run(core, "trap 'exit 0' TERM; kill -INT $PPID; while :; do :; done");
    EXPECT_EQ(ran.code, 75) << ran.output;
    EXPECT_EQ(record(core).outcome, Outcome::inconclusive);
    EXPECT_TRUE(record(core).summary.starts_with("interrupted by SIGINT")) << record(core).summary;
}

}  // namespace
}  // namespace peerproof::supervise
