// What a record holds beside its outcome: the steps that were done, the hints, what the writer reads back.
#include <gtest/gtest.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

std::string hint(const nlohmann::json& record, const std::string& name, int gpu) {
    for (const auto& one : record.at("hints")) {
        if (one.at("name") == name && one.at("gpu") == gpu) return one.at("value");
    }
    return "no such hint";
}

nlohmann::json write_on(const std::string& bench) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", bench);
    flow.unset("PEERPROOF_LARGE_MIB");
    flow.ctest({"-R", "core.write.gpu0_to_gpu1"});
    return flow.record("core.write.gpu0_to_gpu1");
}

TEST(Records, HoldEveryStepWithItsBytes) {
    const auto record = write_on("open-x2");
    ASSERT_EQ(record.at("steps").size(), 4u);
    EXPECT_EQ(record["steps"][0]["name"], "word");
    EXPECT_EQ(record["steps"][0]["bytes"], 8);
    EXPECT_EQ(record["steps"][1]["name"], "block");
    EXPECT_EQ(record["steps"][1]["bytes"], 4 * 1024 * 1024);
    EXPECT_EQ(record["steps"][2]["name"], "large");
    EXPECT_EQ(record["steps"][2]["bytes"], 16 * 1024 * 1024);
    const auto& sweep = record["steps"][3];
    EXPECT_EQ(sweep["name"], "sweep");
    // Of 1 GiB the driver of the simulated bench keeps 512 MiB, and the suite leaves it 32 more.
    EXPECT_EQ(sweep["memory_bytes"], std::uint64_t{1} << 30);
    EXPECT_GE(sweep["reached_bytes"], std::uint64_t{456} << 20);
    EXPECT_GE(sweep["bytes"], 8 * 2 * (456 / 2));  // two words of every 2 MiB
}

TEST(Records, HoldHintsOfBothDirections) {
    const auto record = write_on("asymmetric-bit-x2");
    EXPECT_EQ(hint(record, "can_access_peer", 0), "1");
    EXPECT_EQ(hint(record, "can_access_peer", 1), "0");
    EXPECT_EQ(hint(record, "enable_peer_access", 0), "0 cudaSuccess");
    EXPECT_EQ(hint(record, "enable_peer_access", 1), "101 cudaErrorInvalidDevice");
}

TEST(Records, HoldWhatTheWriterReadsBackOnlyWhereItsOwnerFoundNothing) {
    const auto write_only = write_on("write-only-x2");
    EXPECT_EQ(write_only.at("outcome"), "delivered");  // a load through that window would be illegal
    const auto mirror = write_on("mirror-x3");
    EXPECT_EQ(mirror.at("outcome"), "missing");
    EXPECT_EQ(mirror.at("steps")[0].at("diagnosis"), "mirror");
    EXPECT_NE(mirror.at("summary").get<std::string>().find("reads its own stamp back"), std::string::npos);
    const auto dropped = write_on("read-only-x2");
    EXPECT_EQ(dropped.at("outcome"), "missing");
    EXPECT_EQ(dropped.at("steps")[0].at("diagnosis"), "poison intact");
    EXPECT_NE(dropped.at("summary").get<std::string>().find("through its window the writer reads"),
              std::string::npos);
}

TEST(Records, OfAHangHoldTheStepsBeforeIt) {
    Flow flow;
    flow.bench_text("late-hang-x2",
                    "description = \"hangs\"\n[gpus]\ncount = 2\nmemory_mib = 2048\n[[kernel]]\nname = "
                    "\"store_peer\"\ndoes = \"hang\"\n"
                    "after = 1\n"
                    "[expect]\nverdict = \"hung\"\n");
    flow.set("PEERPROOF_DEADLINE", "4");
    flow.ctest({"-R", "core.write.gpu0_to_gpu1"});
    const auto record = flow.record("core.write.gpu0_to_gpu1");
    EXPECT_EQ(record.at("outcome"), "hung");
    ASSERT_EQ(record.at("steps").size(), 1u);
    EXPECT_EQ(record["steps"][0]["name"], "word");
    EXPECT_EQ(record["steps"][0]["outcome"], "delivered");
    EXPECT_EQ(hint(record, "can_access_peer", 0), "1");  // what it had sent before
}

// Every call of a process fails after an error that a kernel met: what came after it would say nothing.
TEST(Records, OfAnIllegalAddressHoldNoStepAfterIt) {
    const auto record = write_on("locked-x2");
    EXPECT_EQ(record.at("outcome"), "illegal_address");
    EXPECT_EQ(record.at("steps").size(), 1u);
}

// "sample: a sample: cudaStreamSynchronize answered 700" would say the same thing twice.
TEST(Records, OfAMeasurementThatEndedInAnErrorSayWhatItWasDoing) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", "locked-x2");
    flow.set("PEERPROOF_MEASUREMENTS", "brief");
    flow.ctest({"-R", "measurement.(read_latency|ping_pong|read_bandwidth).gpu0"});
    for (const char* id : {"measurement.read_latency.gpu0_to_gpu1", "measurement.ping_pong.gpu0_gpu1",
                           "measurement.read_bandwidth.gpu0_to_gpu1"}) {
        const auto record = flow.record(id);
        ASSERT_EQ(record.at("outcome"), "illegal_address") << id;
        const auto& step = record.at("steps")[0];
        EXPECT_EQ(step.at("name"), "sample");
        EXPECT_EQ(step.at("detail").get<std::string>().find("sample"), std::string::npos)
            << step.at("detail");
    }
}

// The schemas as they are installed, and a report of everything that really ran.
TEST(Reports, AreWhatThePublishedSchemaSays) {
    for (const char* bench : {"mirror-x3", "locked-x3", "crash-x2", "single-gpu"}) {
        Flow flow;
        flow.set("PEERPROOF_BENCH", bench);
        flow.ctest({"-j2"});
        const Ended ended =
            run({PEERPROOF_PYTHON, PEERPROOF_VALIDATE, (flow.folder() / "share/peerproof/schema").string(),
                 (flow.session() / "report.json").string()},
                {});
        EXPECT_EQ(ended.code, 0) << bench << ": " << ended.output;
    }
}

}  // namespace
}  // namespace peerproof::flow
