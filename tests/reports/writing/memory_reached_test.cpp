#include "reports/writing/memory_reached.hpp"

#include <gtest/gtest.h>

#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using Lines = std::vector<std::string>;

void sweep(Session& session, const std::string& id, const std::string& name, std::uint64_t gib,
           Outcome outcome = Outcome::delivered, std::uint64_t first_offset = 0) {
    Step step{.name = name, .outcome = outcome, .bytes = gib * 512 * 8};
    step.reached_bytes = gib << 30;
    step.memory_bytes = std::uint64_t{64} << 30;
    step.first_offset = first_offset;
    sample::record(session, id).steps.push_back(step);
}

TEST(Reached, NothingIsSaidWhereNobodySwept) {
    EXPECT_TRUE(reached_lines(Ledger(sample::open_session(2))).empty());
}

// Loads go into the memory of the source, stores into that of the destination, copies are swept from both
// ends.
TEST(Reached, IsTheMemoryBehindTheWindow) {
    const std::pair<std::vector<const char*>, const char*> rows[] = {
        {{"core.read.gpu0_to_gpu1", "sweep"}, "gpu0"},
        {{"core.write.gpu0_to_gpu1", "sweep"}, "gpu1"},
        {{"core.copy.gpu0_to_gpu1", "sweep"}, "gpu1"},
        {{"core.copy.gpu0_to_gpu1", "sweep_out"}, "gpu0"}};
    for (const auto& [step, gpu] : rows) {
        Session session = sample::open_session(2);
        sweep(session, step[0], step[1], 60);
        EXPECT_EQ(reached_lines(Ledger(session)),
                  (Lines{std::string(gpu) + ": 60.0 of 64.0 GiB, one word in every 2 MiB (30720 words)",
                         "large step of each core check: 256 MiB, every byte"}))
            << step[0] << " " << step[1];
    }
}

TEST(Reached, IsTheLeastOfAllCases) {
    Session session = sample::open_session(3);
    session.plan->large_step_mib = 0;
    sweep(session, "core.read.gpu0_to_gpu1", "sweep", 63);
    sweep(session, "core.write.gpu2_to_gpu0", "sweep", 31);
    sweep(session, "core.read.gpu0_to_gpu2", "sweep", 62);
    EXPECT_EQ(reached_lines(Ledger(session)),
              (Lines{"gpu0: 31.0 of 64.0 GiB, one word in every 2 MiB (15872 words)",
                     "no large step was asked for"}));
}

TEST(Reached, IsNothingWhereTheSweepDidNotDeliver) {
    Session session = sample::open_session(2);
    sweep(session, "core.write.gpu0_to_gpu1", "sweep", 63, Outcome::wrong, std::uint64_t{32} << 30);
    const Lines lines = reached_lines(Ledger(session));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "gpu1: no sweep of its memory delivered");
    EXPECT_EQ(
        lines[1],
        "sweep of gpu1's memory by write is wrong at 0x800000000 (32.0 GiB), of 64.0 GiB: gpu0_to_gpu1");
}

}  // namespace
}  // namespace peerproof
