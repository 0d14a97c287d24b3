// Stream capture: what a stream says of itself meanwhile, and what may not be done.
#include "tests/simulator/on_streams.hpp"

namespace peerproof::simulated {
namespace {

TEST(Capture, AStreamSaysWhetherItIsCaptured) {
    EXPECT_EQ(answers_of("open-x2", {"capturing s1", "begin s1", "capturing s1", "info s1", "use s1",
                                     "fill b 5", "info s1", "capturing s0", "record e1", "use s0", "await e1",
                                     "capturing s0", "sync_stream s0", "capturing s1", "set_async a 5",
                                     "end s1 g", "capturing s1", "capturing s0"}),
              Answers({"0 0", "0", "0 1", "0 1 1 0", "0", "0", "0 1 1 1", "0 0", "0", "0", "0", "0 1", "900",
                       "0 2", "901", "901", "0 0", "0 0"}));
}

TEST(Capture, AForkThatIsNotJoinedIsUnjoined) {
    EXPECT_EQ(
        answers_of("open-x2", {"use s1", "begin s1", "fill b 5", "record e1", "set 0", "use s0", "await e1",
                               "fill a 5", "end s1 g", "capturing s0", "fill a 5", "sync_stream s0"}),
        Answers({"0", "0", "0", "0", "0", "0", "0", "0", "904", "0 0", "0", "0"}));
}

// What is done while s1 is captured, and its error; s1 is spoilt by it.
void expect_spoilt_by(const Texts& steps, const std::string& error, const std::string& at_end = "901") {
    const Answers all =
        answers_of("open-x2", Texts{"use s1", "begin s1", "fill b 5"} + steps + Texts{"end s1 g"});
    ASSERT_GE(all.size(), 2u);
    EXPECT_EQ(all[all.size() - 2], error) << testing::PrintToString(steps);
    EXPECT_EQ(all.back(), at_end) << testing::PrintToString(steps);
}

TEST(Capture, WhatMayNotBeDoneWhileAStreamIsCapturedSpoilsIt) {
    expect_spoilt_by({"sync_stream s1"}, "900");
    expect_spoilt_by({"query s1"}, "900");
    expect_spoilt_by({"sync"}, "900");
    expect_spoilt_by({"malloc c 4096"}, "900");
    expect_spoilt_by({"free b"}, "900");
    expect_spoilt_by({"word b"}, "900");
    expect_spoilt_by({"hostalloc h 4096"}, "900");
    expect_spoilt_by({"query_event e0"}, "900");
    expect_spoilt_by({"record e1", "query_event e1"}, "907");
    expect_spoilt_by({"record e1", "sync_event e1"}, "907");
    expect_spoilt_by({"use", "fill b 5"}, "906");
    expect_spoilt_by({"record e1", "use", "await e1"}, "906");
    expect_spoilt_by({"await e0"}, "905");
    expect_spoilt_by({"stream s2", "record e1", "use s2", "await e1", "end s2 h"}, "903");
    expect_spoilt_by({"stream s2", "begin s2", "record e1", "use s2", "await e1"}, "902");
    expect_spoilt_by({"sync_stream s1", "fill b 5"}, "901");
    expect_spoilt_by({"sync_stream s1", "record e1"}, "901");
}

TEST(Capture, WhatSpoilsNothing) {
    expect_spoilt_by({"begin s1"}, "401", "0");
    expect_spoilt_by({"sync_stream s0"}, "0", "0");
    expect_spoilt_by({"set 0", "sync"}, "0", "0");
    expect_spoilt_by({"set 0", "use", "fill a 5"}, "0", "0");  // the legacy stream of another GPU
    expect_spoilt_by({"end_elsewhere s1 g"}, "908", "0");
    EXPECT_EQ(answers_of("open-x2", {"end s1 g", "begin_legacy", "begin s1 3", "stream_apart s2", "begin s2",
                                     "use", "fill b 5", "end s2 g"}),
              Answers({"401", "900", "1", "0", "0", "0", "0", "0"}));
}

TEST(Capture, ACaptureEndsWithTheStreamWhereItBegan) {
    EXPECT_EQ(answers_of("open-x2", {"begin s1", "destroy_stream s1", "end s1 g", "use", "fill b 5", "sync"}),
              Answers({"0", "0", "400", "0", "0", "0"}));
}

TEST(Capture, TheModesSayWhoMayNotAllocate) {
    const auto allocates = [](const std::string& mode, const std::string& exchanged) {
        return answers_of("open-x2",
                          {"begin s1 " + mode, "exchange_mode " + exchanged, "malloc c 4096", "end s1 g"})[2];
    };
    EXPECT_EQ(allocates("0", "0"), "900");
    EXPECT_EQ(allocates("1", "0"), "900");
    EXPECT_EQ(allocates("1", "1"), "900");
    EXPECT_EQ(allocates("2", "0"), "0");
    EXPECT_EQ(allocates("0", "2"), "0");
}

}  // namespace
}  // namespace peerproof::simulated
