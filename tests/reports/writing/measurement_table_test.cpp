#include "reports/writing/measurement_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/judging/judge.hpp"
#include "session/format.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using sample::set_median;

constexpr const char* copy = "measurement.copy_bandwidth.gpu0_to_gpu1";

TEST(Discrimination, ComparesTheMedians) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    set_median(session, "measurement.staged_copy_bandwidth.gpu0_to_gpu1", 1.627);
    set_median(session, copy, 1.68);
    const Ledger ledger(session);
    EXPECT_NE(discrimination_sentence(measurements_of(ledger))
                  .find("bandwidth cannot tell the paths apart here one way"),
              std::string::npos)
        << discrimination_sentence(measurements_of(ledger));
}

TEST(Discrimination, AsksWhetherThePathsDifferWhicheverIsFaster) {
    for (const double ratio : {0.81, 1.0, 1.24}) EXPECT_FALSE(tells_apart(ratio)) << ratio;
    for (const double ratio : {0.5, 0.8, 1.25, 2.2}) EXPECT_TRUE(tells_apart(ratio)) << ratio;
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
        set_median(session, std::string("measurement.staged_copy_bandwidth.") + place, 1.98);
        set_median(session, std::string("measurement.copy_bandwidth.") + place, 0.9);
    }
    const auto sentence = [&] { return discrimination_sentence(measurements_of(Ledger(session))); };
    EXPECT_TRUE(sentence().starts_with("bandwidth can tell the paths apart here: ")) << sentence();
    // One pair of which it cannot is enough.
    set_median(session, "measurement.copy_bandwidth.gpu1_to_gpu0", 1.98);
    EXPECT_TRUE(sentence().starts_with("bandwidth cannot tell the paths apart here one way")) << sentence();
}

// Between closed GPUs a copy is staged, whatever was asked for: it is not slow for a direct one.
TEST(Discrimination, SaysWhereThereIsNoDirectPath) {
    const std::string why = "where no pair has a direct path to tell from the staged one";
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
        set_median(session, std::string("measurement.staged_copy_bandwidth.") + place, 1.68);
        set_median(session, std::string("measurement.copy_bandwidth.") + place, 1.68);
    }
    set_median(session, "measurement.bidirectional_staged_copy_bandwidth.gpu0_gpu1", 3.3);
    EXPECT_EQ(discrimination_sentence(measurements_of(Ledger(session))).find(why), std::string::npos);

    for (const char* check : {"read", "write"}) {
        for (const char* place : {"gpu0_to_gpu1", "gpu1_to_gpu0"}) {
            Record& record = sample::record(session, format("core.{}.{}", check, place));
            record.outcome = Outcome::illegal_address;
            for (Step& step : record.steps) step.outcome = Outcome::illegal_address;
        }
    }
    EXPECT_NE(discrimination_sentence(measurements_of(Ledger(session))).find(why), std::string::npos)
        << discrimination_sentence(measurements_of(Ledger(session)));

    // A window whose beginning is open is a direct path.
    Record& write = sample::record(session, "core.write.gpu1_to_gpu0");
    write.steps.insert(write.steps.begin(), {.name = "word", .outcome = Outcome::delivered, .bytes = 8});
    EXPECT_EQ(discrimination_sentence(measurements_of(Ledger(session))).find(why), std::string::npos);

    write.outcome = Outcome::delivered;
    EXPECT_EQ(discrimination_sentence(measurements_of(Ledger(session))).find(why), std::string::npos);
}

TEST(MeasurementTable, HasNoCeilingForAClosedPair) {
    Session session = sample::locked_session(2);
    sample::add_measurements(session);
    const std::string line = measurement_table(Ledger(session)).at(1);
    EXPECT_TRUE(line.starts_with("gpu0_to_gpu1          -")) << line;
}

TEST(MeasurementNotes, HaveBidirectionalByKernels) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    const char* id = "measurement.bidirectional_copy_bandwidth.gpu0_gpu1";
    sample::planned(session, id).check = sample::record(session, id).check =
        sample::measurement(session, id).name = "bidirectional_write_bandwidth";
    const auto notes = measurement_notes(Ledger(session));
    EXPECT_NE(std::find(notes.begin(), notes.end(),
                        "bidirectional gpu0, gpu1, by kernels: - GB/s read, 3.30 (3.30 to 3.30) written"),
              notes.end());
}

TEST(MeasurementTable, IsEightyColumnsWide) {
    Session session = sample::open_session(2);
    sample::add_measurements(session);
    for (const std::string& line : measurement_table(Ledger(session))) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_EQ(measurement_table(Ledger(session)).size(), 3u);
    EXPECT_TRUE(measurement_table(Ledger(sample::open_session(2))).empty());
}
}  // namespace
}  // namespace peerproof
