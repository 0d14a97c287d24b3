#include "reports/judging/measurements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reports/judging/judge.hpp"
#include "session/format.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::set_median;

struct Spoiled {
    const char* name;
    std::function<void(Session&)> spoil;
    VerdictWord verdict;
    const char* word;  // of the finding that must be there; empty: no finding of a measurement
    const char* text;
};

void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.name; }

constexpr const char* copy = "measurement.copy_bandwidth.gpu0_to_gpu1";
constexpr const char* read = "measurement.read_bandwidth.gpu0_to_gpu1";

// The sample: Gen2 x4, ceiling 2.0 GB/s.
const Spoiled table[] = {
    {"Healthy", [](Session&) {}, VerdictWord::open, "", ""},
    {"AtTheLimit", [](Session& s) { set_median(s, copy, 2.0); }, VerdictWord::open, "", ""},
    {"Impossible", [](Session& s) { set_median(s, copy, 6.7); }, VerdictWord::suspect, "impossible",
     "copy_bandwidth measured 6.70 GB/s, where gpu0 (5 GT/s x4) carries 2.00 GB/s at most: 3.35x"},
    {"ClaimedAndNotThere",
     [](Session& s) {
         set_median(s, copy, 6.7);
         sample::record(s, copy).outcome = Outcome::missing;
     },
     VerdictWord::suspect, "impossible", "copy_bandwidth claims 6.70 GB/s"},
    {"BidirectionalHaveTwice",
     [](Session& s) { set_median(s, "measurement.bidirectional_copy_bandwidth.gpu0_gpu1", 3.9); },
     VerdictWord::open, "", ""},
    {"BidirectionalImpossible",
     [](Session& s) { set_median(s, "measurement.bidirectional_copy_bandwidth.gpu0_gpu1", 4.1); },
     VerdictWord::suspect, "impossible",
     "bidirectional_copy_bandwidth measured 4.10 GB/s, where gpu0 (5 GT/s x4) carries 4.00 GB/s at most"},
    {"BidirectionalByKernelsImpossible",
     [](Session& s) {
         Measurement& measurement =
             sample::measurement(s, "measurement.bidirectional_copy_bandwidth.gpu0_gpu1");
         sample::planned(s, "measurement.bidirectional_copy_bandwidth.gpu0_gpu1").check = measurement.name =
             "bidirectional_read_bandwidth";
         sample::record(s, "measurement.bidirectional_copy_bandwidth.gpu0_gpu1").check = measurement.name;
         measurement.median = 4.1;
     },
     VerdictWord::suspect, "impossible",
     "bidirectional_read_bandwidth measured 4.10 GB/s, where gpu0 (5 GT/s x4) carries 4.00 GB/s at most"},
    {"ManyAreToldTogether",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "measurement.copy_bandwidth.gpu1_to_gpu0", 8);
     },
     VerdictWord::suspect, "impossible",
     "at worst copy_bandwidth measured 8.00 GB/s, where gpu1 (5 GT/s x4) carries 2.00 GB/s at most: 4.00x; "
     "every byte was "
     "verified, so the link's own status may be what is wrong: gpu0_to_gpu1, gpu1_to_gpu0"},
    {"StagedSaysNothingOfPeerAccess",
     [](Session& s) { set_median(s, "measurement.staged_copy_bandwidth.gpu0_to_gpu1", 6.7); },
     VerdictWord::open, "impossible", "staged_copy_bandwidth measured 6.70 GB/s"},
    {"TheHostRefutesTheCeiling",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "measurement.host_link.gpu0", 7.1);
     },
     VerdictWord::open, "ceiling refuted",
     "host_to_device measured 7.10 GB/s, every byte verified, where gpu0 (5 GT/s x4) says 2.00 GB/s at "
     "most: what it "
     "says is no ceiling: gpu0"},
    {"TheHostAgreesWithTheCeiling",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "measurement.host_link.gpu0", 1.9);
     },
     VerdictWord::suspect, "impossible", "copy_bandwidth measured 6.70 GB/s"},
    {"AClaimOfTheHostRefutesNothing",
     [](Session& s) {
         set_median(s, copy, 6.7);
         set_median(s, "measurement.host_link.gpu0", 7.1);
         sample::record(s, "measurement.host_link.gpu0").outcome = Outcome::missing;
     },
     VerdictWord::suspect, "impossible", "copy_bandwidth measured 6.70 GB/s"},
    {"TwoRootsAreAnUpperBound",
     [](Session& s) {
         s.plan->links[0].root = "pci0000:00";
         s.plan->links[1].root = "pci0000:80";
         set_median(s, copy, 6.7);
     },
     VerdictWord::suspect, "impossible",
     "copy_bandwidth measured 6.70 GB/s, where gpu0 (5 GT/s x4) carries 2.00 GB/s"},
    {"Local", [](Session& s) { set_median(s, "measurement.read_latency.gpu0_to_gpu1", 0.6); },
     VerdictWord::suspect, "local", "a load of gpu0's memory takes gpu1 0.60 us, and one of its own 0.60 us"},
    {"Slow", [](Session& s) { set_median(s, read, 1.19); }, VerdictWord::open, "slow link",
     "read_bandwidth reaches 1.19 GB/s, 60 % of the 2.00 GB/s that gpu0 (5 GT/s x4) can carry: gpu0_to_gpu1"},
    {"NotQuiteSlow", [](Session& s) { set_median(s, read, 1.21); }, VerdictWord::open, "", ""},
    {"TrainedDown",
     [](Session& s) {
         for (GpuLinks& gpu : s.plan->links)
             for (Hop& hop : gpu.hops) hop.max_speed = 8;
         for (Record& one : s.records)
             for (LinkUnderLoad& link : one.links) link.hop.max_speed = 8;
     },
     VerdictWord::open, "slow link", "gpu0 stays at 5 GT/s x4 under load, where it could be 8 GT/s x4: gpu0"},
    {"IdleIsNotUnderLoad",
     [](Session& s) {
         for (GpuLinks& gpu : s.plan->links)
             for (Hop& hop : gpu.hops) hop.speed = 2.5;
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
         for (GpuLinks& gpu : s.plan->links) gpu.nvlink_unknown = "no NVML";
         set_median(s, read, 390);
     },
     VerdictWord::open, "", ""},
    {"ASlotIsNoFasterThanItsPort",
     [](Session& s) {
         for (GpuLinks& gpu : s.plan->links) {
             gpu.hops.push_back(gpu.hops.front());
             gpu.hops.back().device = "port" + std::to_string(gpu.gpu);
             gpu.hops.front().max_speed = 32;
         }
         for (Record& one : s.records)
             for (LinkUnderLoad& link : one.links) link.hop.max_speed = 32;
     },
     VerdictWord::open, "", ""},
    {"OpenAlthoughLockedWasExpected",
     [](Session& s) {
         s.plan->expectation = Expectation::locked;
         for (Case& one : s.plan->cases)
             if (one.family == Family::measurement) one.accepted = {Outcome::illegal_address};
     },
     VerdictWord::open, "", ""},
    {"ClosedToAMeasurementAlthoughThatWasExpected",
     [](Session& s) {
         sample::planned(s, read).accepted = {Outcome::illegal_address};
         sample::record(s, read).outcome = Outcome::illegal_address;
     },
     VerdictWord::suspect, "measurement", "read_bandwidth is illegal_address"},
    {"NoBytes", [](Session& s) { sample::record(s, read).outcome = Outcome::wrong; }, VerdictWord::suspect,
     "measurement", "read_bandwidth is wrong"},
    {"Inconclusive", [](Session& s) { sample::record(s, read).outcome = Outcome::inconclusive; },
     VerdictWord::open, "measurement", "read_bandwidth is inconclusive"},
    {"StagedGatesNothing",
     [](Session& s) {
         sample::record(s, "measurement.staged_copy_bandwidth.gpu0_to_gpu1").outcome = Outcome::missing;
     },
     VerdictWord::open, "measurement", "staged_copy_bandwidth is missing"},
    {"NotRun", [](Session& s) { sample::remove_record(s, read); }, VerdictWord::no_verdict, "not run",
     "1 measurements"},
    {"BegunAndNotEnded", [](Session& s) { sample::record(s, read).finished = false; },
     VerdictWord::no_verdict, "unfinished", "1 measurements"},
    {"HostLinkRefutesItsCeiling", [](Session& s) { set_median(s, "measurement.host_link.gpu0", 2.1); },
     VerdictWord::open, "ceiling refuted",
     "host_to_device measured 2.10 GB/s, every byte verified, where gpu0 (5 GT/s x4) says 2.00 GB/s at "
     "most: "
     "what it says is no ceiling"},
    {"HostLinkAtTheLimit", [](Session& s) { set_median(s, "measurement.host_link.gpu0", 2.0); },
     VerdictWord::open, "", ""},
    {"FewerLanesAtTheFullRate",
     [](Session& s) {
         for (GpuLinks& gpu : s.plan->links)
             for (Hop& hop : gpu.hops) hop.max_lanes = 8;
         for (Record& one : s.records)
             for (LinkUnderLoad& link : one.links) link.hop.max_lanes = 8;
     },
     VerdictWord::open, "slow link", "gpu0 stays at 5 GT/s x4 under load, where it could be 5 GT/s x8: gpu0"},
    {"EveryTransferLies",
     [](Session& s) {
         for (const char* check : {"copy", "read", "write"})
             sample::record(s, format("measurement.{}_bandwidth.gpu0_to_gpu1", check)).outcome =
                 Outcome::wrong;
     },
     VerdictWord::silent, "measurement", "read_bandwidth is wrong"},
    {"EveryTransferByKernelLies",
     [](Session& s) {
         for (const char* check : {"read", "write"})
             sample::record(s, format("measurement.{}_bandwidth.gpu0_to_gpu1", check)).outcome =
                 Outcome::missing;
     },
     VerdictWord::suspect, "measurement", "read_bandwidth is missing"},
    {"EveryTransferByKernelLiesAndNoneIsByCopy",
     [](Session& s) {
         const std::string copies = "measurement.copy_bandwidth.gpu0_to_gpu1";
         std::erase_if(s.plan->cases, [&](const Case& one) { return one.id == copies; });
         std::erase_if(s.records, [&](const Record& one) { return one.case_id == copies; });
         for (const char* check : {"read", "write"})
             sample::record(s, format("measurement.{}_bandwidth.gpu0_to_gpu1", check)).outcome =
                 Outcome::missing;
     },
     VerdictWord::suspect, "measurement", "read_bandwidth is missing"},
    {"TransfersOfTwoPairsLie",
     [](Session& s) {
         for (const char* check : {"copy", "read"})
             sample::record(s, format("measurement.{}_bandwidth.gpu0_to_gpu1", check)).outcome =
                 Outcome::wrong;
         sample::record(s, "measurement.write_bandwidth.gpu1_to_gpu0").outcome = Outcome::wrong;
     },
     VerdictWord::suspect, "measurement", "read_bandwidth is wrong"},
    {"UnknownCeilingIsNoPass",
     [](Session& s) {
         for (GpuLinks& gpu : s.plan->links) gpu = {.gpu = gpu.gpu, .unknown = "no sysfs"};
         for (Record& one : s.records) one.links.clear();
         set_median(s, copy, 6.7);
     },
     VerdictWord::open, "", ""},
};

class Measurements : public testing::TestWithParam<Spoiled> {};

TEST_P(Measurements, SayWhatTheyMay) {
    const Spoiled& row = GetParam();
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    row.spoil(session);
    const Verdict verdict = judge(session);
    EXPECT_EQ(verdict.word, row.verdict);
    std::string said;
    for (const Finding& finding : verdict.findings) {
        const bool of_measurements = finding.word == "impossible" || finding.word == "local" ||
                                     finding.word == "slow link" || finding.word == "measurement" ||
                                     finding.word == "ceiling refuted" ||
                                     finding.text.find("measurements:") != std::string::npos;
        if (of_measurements && finding.text.find("no speed") == std::string::npos)
            said += finding.word + ": " + finding.text + "\n";
    }
    if (*row.word == '\0') {
        EXPECT_EQ(said, "");
    } else {
        EXPECT_NE(said.find(std::string(row.word) + ": " + row.text), std::string::npos) << said;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, Measurements, testing::ValuesIn(table),
                         [](const auto& row) { return row.param.name; });

TEST(MeasurementsOf, RatiosAndPipelining) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    set_median(session, "measurement.staged_copy_bandwidth.gpu0_to_gpu1", 1.627);
    set_median(session, copy, 1.68);
    const Ledger ledger(session);
    const PairMeasurements pair = measurements_of(ledger).front();
    EXPECT_NEAR(*pair.ratio, 0.968, 0.0005);
    EXPECT_DOUBLE_EQ(*pair.predicted_ratio, 1.0);
    EXPECT_NEAR(*pair.pipelining, 1.627 * 2 / 1.7, 1e-9);
}

TEST(SlowLink, IsNotSaidOfTheStagedCopiesOfAClosedPair) {
    Session session = sample::locked_session(2);
    sample::add_measurements(session);
    set_median(session, copy, 0.5);
    const auto says_slow = [&] {
        std::string text;
        for (const Finding& finding : judge(session).findings)
            if (finding.word == "slow link") text += finding.text;
        return text.find("copy_bandwidth reaches 0.50") != std::string::npos;
    };
    EXPECT_FALSE(says_slow());
    sample::record(session, "core.read.gpu0_to_gpu1").outcome = Outcome::delivered;
    EXPECT_TRUE(says_slow());
}

TEST(MeasurementsOf, FailedCasesAreNone) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    sample::record(session, copy).outcome = Outcome::missing;
    const Ledger ledger(session);
    EXPECT_FALSE(measurements_of(ledger).front().copy);
    EXPECT_FALSE(measurements_of(ledger).front().ratio);
}

// A copy on a closed pair goes through host memory, whatever it was asked for.
TEST(CeilingOf, ACopyOnAClosedPairIsThatOfTheStagedPath) {
    PairMeasurements pair;
    pair.direct.ceiling = {.gb_per_s = 2, .hard_gb_per_s = 2};
    pair.staged.ceiling = {.gb_per_s = 8, .hard_gb_per_s = 9};
    EXPECT_EQ(ceiling_of(pair, "copy_bandwidth").gb_per_s, 2);
    EXPECT_EQ(ceiling_of(pair, "staged_copy_bandwidth").gb_per_s, 8);
    EXPECT_EQ(ceiling_of(pair, "bidirectional_staged_copy_bandwidth").hard_gb_per_s, 18);
    for (const char* check :
         {"bidirectional_copy_bandwidth", "bidirectional_read_bandwidth", "bidirectional_write_bandwidth"})
        EXPECT_EQ(ceiling_of(pair, check).gb_per_s, 4) << check;
    pair.closed = true;
    EXPECT_EQ(ceiling_of(pair, "copy_bandwidth").gb_per_s, 8);
    EXPECT_EQ(ceiling_of(pair, "read_bandwidth").gb_per_s, 2);
    EXPECT_FALSE(ceiling_of(pair, "bidirectional_copy_bandwidth").known()) << "one way of two";
    pair.reverse_closed = true;
    EXPECT_EQ(ceiling_of(pair, "bidirectional_copy_bandwidth").gb_per_s, 16);
}
}  // namespace
}  // namespace peerproof
