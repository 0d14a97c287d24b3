// The suite's other end: with peer access deliberately not enabled an open bench must look locked, to the
// last check, and whatever is said of it is labelled.
#include <gtest/gtest.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

class SelfCheck : public testing::Test {
  protected:
    SelfCheck() { flow.set("PEERPROOF_SELF_CHECK", "locked"); }
    Flow flow;
};

TEST_F(SelfCheck, AnOpenBenchLooksLocked) {
    flow.set("PEERPROOF_BENCH", "open-x4");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    const auto report = flow.report();
    EXPECT_EQ(report.at("verdict"), "locked");
    EXPECT_EQ(report.at("self_check"), true);
    EXPECT_EQ(report.at("signature").at("checks"), 36);
    EXPECT_EQ(report.at("signature").at("failures"), 24);  // 2n(n-1), not one more or less
    EXPECT_EQ(flow.outcome("core.copy.gpu3_to_gpu0"), "delivered");
    EXPECT_EQ(flow.outcome("core.read.gpu3_to_gpu0"), "illegal_address");
}

TEST_F(SelfCheck, IsLabelledWhereverItIsRead) {
    flow.set("PEERPROOF_BENCH", "open-x2");
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 0) << ended.output;
    for (const char* file : {"report.txt", "junit.xml"}) {
        EXPECT_NE(text_of(flow.session() / file).find("SELF-CHECK"), std::string::npos) << file;
    }
    const Ended lines = flow.program("peerproof-report", {"lines", flow.session().string()});
    EXPECT_NE(lines.output.find("SELF-CHECK"), std::string::npos) << lines.output;
}

TEST_F(SelfCheck, BothEndsInOneCommand) {
    flow.unset("PEERPROOF_SELF_CHECK");
    const auto both_ends = [&](const std::string& bench) {
        return run({PEERPROOF_BOTH_ENDS, flow.folder().string(), (flow.out() / bench).string()},
                   {{"PEERPROOF_BENCH", bench},
                    {"PEERPROOF_COLLECTIVE", "off"},
                    {"PEERPROOF_MEASUREMENTS", "off"},
                    {"PEERPROOF_CROWD", "off"},
                    {"PEERPROOF_WAYS", "off"}});
    };
    const Ended open = both_ends("open-x2");
    EXPECT_EQ(open.code, 0) << open.output;
    EXPECT_NE(open.output.find("verdict: open"), std::string::npos) << open.output;
    EXPECT_NE(open.output.find("verdict: locked"), std::string::npos) << open.output;
    EXPECT_EQ(both_ends("mirror-x3").code, 1);
}

// A window that is open although nobody enabled it is one that the suite could not have told from an enabled
// one.
TEST_F(SelfCheck, ABenchThatMapsEverythingIsFound) {
    flow.bench_text("always-mapped-x2",
                    "description = \"Peer memory is mapped whether enabled or not.\"\n[gpus]\ncount = "
                    "2\nmemory_mib = 1024\n"
                    "[pairs]\nmapped = \"always\"\n[expect]\nverdict = \"open\"\n");
    const Ended ended = flow.ctest();
    EXPECT_EQ(ended.code, 8) << ended.output;
    EXPECT_EQ(flow.report().at("as_expected"), false);
}

}  // namespace
}  // namespace peerproof::flow
