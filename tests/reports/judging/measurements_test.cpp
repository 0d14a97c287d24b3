#include "reports/judging/measurements.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reports/judging/judge.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

Figure& figure_of(Session& session, const std::string& id) {
    return sample::record(session, id).figures.at(0);
}

void set_median(Session& session, const std::string& id, double median) {
    Figure& figure = figure_of(session, id);
    figure.median = figure.least = figure.most = figure.p5 = figure.p95 = median;
}

struct Spoiled {
    const char* name;
    std::function<void(Session&)> spoil;
    VerdictWord verdict;
    const char* word;  // of the finding that must be there; empty: no finding of a figure
    const char* text;
};

void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.name; }

constexpr const char* copy = "figure.copy_speed.gpu0_to_gpu1";
constexpr const char* read = "figure.read_speed.gpu0_to_gpu1";

// The sample: Gen2 x4, ceiling 2.0 GB/s.
const Spoiled table[] = {
    {"Healthy", [](Session&) {}, VerdictWord::open, "", ""},
    {"AtTheLimit", [](Session& s) { set_median(s, copy, 2.0); }, VerdictWord::open, "", ""},
    {"Impossible", [](Session& s) { set_median(s, copy, 6.7); }, VerdictWord::suspect, "impossible",
     "copy_speed measured 6.70 GB/s, where card0 (5 GT/s x4) carries 2.00 GB/s at most: 3.35x"},
    {"ClaimedAndNotThere",
     [](Session& s) {
         set_median(s, copy, 6.7);
         sample::record(s, copy).outcome = Outcome::missing;
     },
     VerdictWord::suspect, "impossible", "copy_speed claims 6.70 GB/s"},
    {"BothWaysHaveTwice", [](Session& s) { set_median(s, "figure.both_ways_speed.gpu0_gpu1", 3.9); },
     VerdictWord::open, "", ""},
    {"BothWaysImpossible", [](Session& s) { set_median(s, "figure.both_ways_speed.gpu0_gpu1", 4.1); },
     VerdictWord::suspect, "impossible",
     "both_ways_speed measured 4.10 GB/s, where card0 (5 GT/s x4) carries 4.00 GB/s at most"},
    {"BothWaysByKernelsImpossible",
     [](Session& s) {
         Figure& figure = figure_of(s, "figure.both_ways_speed.gpu0_gpu1");
         sample::planned(s, "figure.both_ways_speed.gpu0_gpu1").check = figure.name = "both_ways_read_speed";
         sample::record(s, "figure.both_ways_speed.gpu0_gpu1").check = figure.name;
         figure.median = 4.1;
     },
     VerdictWord::suspect, "impossible",
     "both_ways_read_speed measured 4.10 GB/s, where card0 (5 GT/s x4) carries 4.00 GB/s at most"},
    {"ManyAreToldTogether",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "figure.copy_speed.gpu1_to_gpu0", 8);
     },
     VerdictWord::suspect, "impossible",
     "at worst copy_speed measured 8.00 GB/s, where card1 (5 GT/s x4) carries 2.00 GB/s at most: 4.00x; "
     "every byte was "
     "verified, so the link's own status may be what is wrong: gpu0_to_gpu1, gpu1_to_gpu0"},
    {"StagedSaysNothingOfPeerAccess",
     [](Session& s) { set_median(s, "figure.staged_speed.gpu0_to_gpu1", 6.7); }, VerdictWord::open,
     "impossible", "staged_speed measured 6.70 GB/s"},
    {"TheHostRefutesTheCeiling",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "figure.host_link.gpu0", 7.1);
     },
     VerdictWord::open, "ceiling refuted",
     "host_to_device measured 7.10 GB/s, every byte verified, where card0 (5 GT/s x4) says 2.00 GB/s at "
     "most: what it "
     "says is no ceiling: gpu0"},
    {"TheHostAgreesWithTheCeiling",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "figure.host_link.gpu0", 1.9);
     },
     VerdictWord::suspect, "impossible", "copy_speed measured 6.70 GB/s"},
    {"AClaimOfTheHostRefutesNothing",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "figure.host_link.gpu0", 7.1);
         sample::record(s, "figure.host_link.gpu0").outcome = Outcome::missing;
     },
     VerdictWord::suspect, "impossible", "copy_speed measured 6.70 GB/s"},
    {"TwoRootsAreAnUpperBound",
     [](Session& s) {
         s.plan->links[0].root = "pci0000:00";
         s.plan->links[1].root = "pci0000:80";
         set_median(s, copy, 6.7);
     },
     VerdictWord::suspect, "impossible",
     "copy_speed measured 6.70 GB/s, where card0 (5 GT/s x4) carries 2.00 GB/s"},
    {"Local", [](Session& s) { set_median(s, "figure.read_latency.gpu0_to_gpu1", 0.6); },
     VerdictWord::suspect, "local", "a load of gpu0's memory takes gpu1 0.60 us, and one of its own 0.60 us"},
    {"Slow", [](Session& s) { set_median(s, read, 1.19); }, VerdictWord::open, "slow link",
     "read_speed reaches 1.19 GB/s, 60 % of the 2.00 GB/s that card0 (5 GT/s x4) can carry: gpu0_to_gpu1"},
    {"NotQuiteSlow", [](Session& s) { set_median(s, read, 1.21); }, VerdictWord::open, "", ""},
    {"TrainedDown",
     [](Session& s) {
         for (CardLinks& card : s.plan->links)
             for (Hop& hop : card.hops) hop.max_speed = 8;
         for (Record& one : s.records)
             for (LinkUnderLoad& link : one.links) link.hop.max_speed = 8;
     },
     VerdictWord::open, "slow link",
     "card0 stays at 5 GT/s x4 under load, where it could be 8 GT/s x4: gpu0"},
    {"IdleIsNotUnderLoad",
     [](Session& s) {
         for (CardLinks& card : s.plan->links)
             for (Hop& hop : card.hops) hop.speed = 2.5;
     },
     VerdictWord::open, "", ""},
    {"OneOfManyReadingsCameTooLate",
     [](Session& s) {
         for (Record& one : s.records) {
             if (one.links.empty()) continue;
             one.links.front().hop.speed = 2.5;
             return;
         }
     },
     VerdictWord::open, "", ""},
    {"NvlinkCannotBeRuledOut",
     [](Session& s) {
         for (CardLinks& card : s.plan->links) card.nvlink_unknown = "no NVML";
         set_median(s, read, 390);
     },
     VerdictWord::open, "", ""},
    {"ASlotIsNoFasterThanItsPort",
     [](Session& s) {
         for (CardLinks& card : s.plan->links) {
             card.hops.push_back(card.hops.front());
             card.hops.back().device = "port" + std::to_string(card.gpu);
             card.hops.front().max_speed = 32;
         }
         for (Record& one : s.records)
             for (LinkUnderLoad& link : one.links) link.hop.max_speed = 32;
     },
     VerdictWord::open, "", ""},
    {"OpenAlthoughLockedWasExpected",
     [](Session& s) {
         s.plan->expectation = Expectation::locked;
         for (Case& one : s.plan->cases)
             if (one.family == Family::figure) one.accepted = {Outcome::illegal_address};
     },
     VerdictWord::open, "", ""},
    {"ClosedToAFigureAlthoughThatWasExpected",
     [](Session& s) {
         sample::planned(s, read).accepted = {Outcome::illegal_address};
         sample::record(s, read).outcome = Outcome::illegal_address;
     },
     VerdictWord::suspect, "figure", "read_speed is illegal_address"},
    {"NoBytes", [](Session& s) { sample::record(s, read).outcome = Outcome::wrong; }, VerdictWord::suspect,
     "figure", "read_speed is wrong"},
    {"Inconclusive", [](Session& s) { sample::record(s, read).outcome = Outcome::inconclusive; },
     VerdictWord::open, "figure", "read_speed is inconclusive"},
    {"StagedGatesNothing",
     [](Session& s) { sample::record(s, "figure.staged_speed.gpu0_to_gpu1").outcome = Outcome::missing; },
     VerdictWord::open, "figure", "staged_speed is missing"},
    {"NotRun", [](Session& s) { sample::remove_record(s, read); }, VerdictWord::no_verdict, "not run",
     "1 figures"},
    {"BegunAndNotEnded", [](Session& s) { sample::record(s, read).finished = false; },
     VerdictWord::no_verdict, "unfinished", "1 figures"},
    {"HostLinkRefutesItsCeiling", [](Session& s) { set_median(s, "figure.host_link.gpu0", 2.1); },
     VerdictWord::open, "ceiling refuted",
     "host_to_device measured 2.10 GB/s, every byte verified, where card0 (5 GT/s x4) says 2.00 GB/s at "
     "most: "
     "what it says is no ceiling"},
    {"HostLinkAtTheLimit", [](Session& s) { set_median(s, "figure.host_link.gpu0", 2.0); }, VerdictWord::open,
     "", ""},
    {"FewerLanesAtTheFullRate",
     [](Session& s) {
         for (CardLinks& card : s.plan->links)
             for (Hop& hop : card.hops) hop.max_lanes = 8;
         for (Record& one : s.records)
             for (LinkUnderLoad& link : one.links) link.hop.max_lanes = 8;
     },
     VerdictWord::open, "slow link",
     "card0 stays at 5 GT/s x4 under load, where it could be 5 GT/s x8: gpu0"},
    {"EveryTransferLies",
     [](Session& s) {
         for (const char* check : {"copy", "read", "write"})
             sample::record(s, fmt::format("figure.{}_speed.gpu0_to_gpu1", check)).outcome = Outcome::wrong;
     },
     VerdictWord::silent, "figure", "read_speed is wrong"},
    {"EveryTransferByKernelLies",
     [](Session& s) {
         for (const char* check : {"read", "write"})
             sample::record(s, fmt::format("figure.{}_speed.gpu0_to_gpu1", check)).outcome = Outcome::missing;
     },
     VerdictWord::suspect, "figure", "read_speed is missing"},
    {"EveryTransferByKernelLiesAndNoneIsByCopy",
     [](Session& s) {
         const std::string copies = "figure.copy_speed.gpu0_to_gpu1";
         std::erase_if(s.plan->cases, [&](const Case& one) { return one.id == copies; });
         std::erase_if(s.records, [&](const Record& one) { return one.case_id == copies; });
         for (const char* check : {"read", "write"})
             sample::record(s, fmt::format("figure.{}_speed.gpu0_to_gpu1", check)).outcome = Outcome::missing;
     },
     VerdictWord::suspect, "figure", "read_speed is missing"},
    {"TransfersOfTwoPairsLie",
     [](Session& s) {
         for (const char* check : {"copy", "read"})
             sample::record(s, fmt::format("figure.{}_speed.gpu0_to_gpu1", check)).outcome = Outcome::wrong;
         sample::record(s, "figure.write_speed.gpu1_to_gpu0").outcome = Outcome::wrong;
     },
     VerdictWord::suspect, "figure", "read_speed is wrong"},
    {"UnknownCeilingIsNoPass",
     [](Session& s) {
         for (CardLinks& card : s.plan->links) card = {.gpu = card.gpu, .unknown = "no sysfs"};
         for (Record& one : s.records) one.links.clear();
         set_median(s, copy, 6.7);
     },
     VerdictWord::open, "", ""},
};

class Figures : public testing::TestWithParam<Spoiled> {};

TEST_P(Figures, SayWhatTheyMay) {
    const Spoiled& row = GetParam();
    Session session = sample::open_session(2);
    sample::add_figures(session);
    row.spoil(session);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, row.verdict);
    std::string said;
    for (const Finding& finding : verdict.findings) {
        const bool of_figures = finding.word == "impossible" || finding.word == "local" ||
                                finding.word == "slow link" || finding.word == "figure" ||
                                finding.word == "ceiling refuted" ||
                                finding.text.find("figures:") != std::string::npos;
        if (of_figures && finding.text.find("no speed") == std::string::npos)
            said += finding.word + ": " + finding.text + "\n";
    }
    if (*row.word == '\0') {
        EXPECT_EQ(said, "");
    } else {
        EXPECT_NE(said.find(std::string(row.word) + ": " + row.text), std::string::npos) << said;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, Figures, testing::ValuesIn(table),
                         [](const auto& row) { return row.param.name; });

TEST(FiguresOf, RatiosAndPipelining) {
    Session session = sample::open_session(2);
    sample::add_figures(session);
    set_median(session, "figure.staged_speed.gpu0_to_gpu1", 1.627);
    set_median(session, copy, 1.68);
    const Ledger ledger(session);
    const PairFigures pair = figures_of(ledger).front();
    EXPECT_NEAR(*pair.ratio, 0.968, 0.0005);
    EXPECT_DOUBLE_EQ(*pair.predicted_ratio, 1.0);
    EXPECT_NEAR(*pair.pipelining, 1.627 * 2 / 1.7, 1e-9);
    EXPECT_NE(discrimination_sentence(figures_of(ledger))
                  .find("bandwidth cannot tell the roads apart here one way"),
              std::string::npos)
        << discrimination_sentence(figures_of(ledger));
}

TEST(Discrimination, AsksWhetherTheRoadsDifferWhicheverIsFaster) {
    for (const double ratio : {0.81, 1.0, 1.24}) EXPECT_FALSE(tells_apart(ratio)) << ratio;
    for (const double ratio : {0.5, 0.8, 1.25, 2.2}) EXPECT_TRUE(tells_apart(ratio)) << ratio;
    Session session = sample::open_session(2);
    sample::add_figures(session);
    for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
        set_median(session, std::string("figure.staged_speed.") + place, 1.98);
        set_median(session, std::string("figure.copy_speed.") + place, 0.9);
    }
    const auto sentence = [&] { return discrimination_sentence(figures_of(Ledger(session))); };
    EXPECT_TRUE(sentence().starts_with("bandwidth can tell the roads apart here: ")) << sentence();
    // One pair of which it cannot is enough.
    set_median(session, "figure.copy_speed.gpu1_to_gpu0", 1.98);
    EXPECT_TRUE(sentence().starts_with("bandwidth cannot tell the roads apart here one way")) << sentence();
}

// Between closed cards a copy is staged, whatever was asked for: it is not slow for a direct one.
TEST(SlowLink, IsNotSaidOfTheStagedCopiesOfAClosedPair) {
    Session session = sample::locked_session(2);
    sample::add_figures(session);
    set_median(session, copy, 0.5);
    const auto says_slow = [&] {
        std::string text;
        for (const Finding& finding : judge(session).findings)
            if (finding.word == "slow link") text += finding.text;
        return text.find("copy_speed reaches 0.50") != std::string::npos;
    };
    EXPECT_FALSE(says_slow());
    sample::record(session, "core.read.gpu0_to_gpu1").outcome = Outcome::delivered;
    EXPECT_TRUE(says_slow());
}

TEST(Discrimination, SaysWhereThereIsNoDirectRoad) {
    const std::string why = "where no pair has a direct road to tell from the staged one";
    Session session = sample::open_session(2);
    sample::add_figures(session);
    for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
        set_median(session, std::string("figure.staged_speed.") + place, 1.68);
        set_median(session, std::string("figure.copy_speed.") + place, 1.68);
    }
    set_median(session, "figure.both_ways_staged_speed.gpu0_gpu1", 3.3);
    EXPECT_EQ(discrimination_sentence(figures_of(Ledger(session))).find(why), std::string::npos);

    for (const char* check : {"read", "write"}) {
        for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
            Record& record = sample::record(session, fmt::format("core.{}.{}", check, place));
            record.outcome = Outcome::illegal_address;
            for (Step& step : record.steps) step.outcome = Outcome::illegal_address;
        }
    }
    EXPECT_NE(discrimination_sentence(figures_of(Ledger(session))).find(why), std::string::npos)
        << discrimination_sentence(figures_of(Ledger(session)));

    // A window whose beginning is open is a direct road.
    Record& write = sample::record(session, "core.write.gpu1_to_gpu0");
    write.steps.insert(write.steps.begin(), {.name = "word", .outcome = Outcome::delivered, .bytes = 8});
    EXPECT_EQ(discrimination_sentence(figures_of(Ledger(session))).find(why), std::string::npos);

    write.outcome = Outcome::delivered;
    EXPECT_EQ(discrimination_sentence(figures_of(Ledger(session))).find(why), std::string::npos);
}

TEST(FiguresOf, FailedCasesAreNone) {
    Session session = sample::open_session(2);
    sample::add_figures(session);
    sample::record(session, copy).outcome = Outcome::missing;
    const Ledger ledger(session);
    EXPECT_FALSE(figures_of(ledger).front().copy);
    EXPECT_FALSE(figures_of(ledger).front().ratio);
}

// A copy on a closed pair goes through host memory, whatever it was asked for.
TEST(CeilingOf, ACopyOnAClosedPairIsThatOfTheStagedRoad) {
    PairFigures pair;
    pair.direct.ceiling = {.gb_per_s = 2, .hard_gb_per_s = 2};
    pair.staged.ceiling = {.gb_per_s = 8, .hard_gb_per_s = 9};
    EXPECT_EQ(ceiling_of(pair, "copy_speed").gb_per_s, 2);
    EXPECT_EQ(ceiling_of(pair, "staged_speed").gb_per_s, 8);
    EXPECT_EQ(ceiling_of(pair, "both_ways_staged_speed").hard_gb_per_s, 18);
    for (const char* check : {"both_ways_speed", "both_ways_read_speed", "both_ways_write_speed"})
        EXPECT_EQ(ceiling_of(pair, check).gb_per_s, 4) << check;
    pair.closed = true;
    EXPECT_EQ(ceiling_of(pair, "copy_speed").gb_per_s, 8);
    EXPECT_EQ(ceiling_of(pair, "read_speed").gb_per_s, 2);
    EXPECT_FALSE(ceiling_of(pair, "both_ways_speed").known()) << "one way of two";
    pair.reverse_closed = true;
    EXPECT_EQ(ceiling_of(pair, "both_ways_speed").gb_per_s, 16);
}

TEST(FigureTable, HasNoCeilingForAClosedPair) {
    Session session = sample::locked_session(2);
    sample::add_figures(session);
    const std::string line = figure_table(Ledger(session)).at(1);
    EXPECT_TRUE(line.starts_with("gpu0_to_gpu1          -")) << line;
}

TEST(FigureNotes, HaveBothWaysByKernels) {
    Session session = sample::open_session(2);
    sample::add_figures(session);
    const char* id = "figure.both_ways_speed.gpu0_gpu1";
    sample::planned(session, id).check = sample::record(session, id).check = figure_of(session, id).name =
        "both_ways_write_speed";
    const auto notes = figure_notes(Ledger(session));
    EXPECT_NE(std::find(notes.begin(), notes.end(),
                        "both ways gpu0, gpu1, by kernels: - GB/s read, 3.30 (3.30 to 3.30) written"),
              notes.end());
}

TEST(FigureTable, IsEightyColumnsWide) {
    Session session = sample::open_session(2);
    sample::add_figures(session);
    for (const std::string& line : figure_table(Ledger(session))) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_EQ(figure_table(Ledger(session)).size(), 3u);
    EXPECT_TRUE(figure_table(Ledger(sample::open_session(2))).empty());
}

}  // namespace
}  // namespace peerproof
