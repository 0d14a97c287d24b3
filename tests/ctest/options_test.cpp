#include "ctest/supervise/options.hpp"

#include <gtest/gtest.h>

#include "ctest/supervise/by_hand.hpp"
#include "session/settings.hpp"

namespace peerproof::supervise {
namespace {

Options parse(std::vector<const char*> words) {
    words.insert(words.begin(), "supervise");
    return options_from(static_cast<int>(words.size()), words.data());
}

TEST(SuperviseOptions, ACaseWithTheOptionsOfItsCommandUntouched) {
    const auto options = parse({"--session-folder", "/a b", "--case", "core.read.gpu0_to_gpu1", "--grace",
                                "2", "--", "program", "--help", "--", "x"});
    EXPECT_EQ(options.session_folder, "/a b");
    EXPECT_EQ(options.case_id, "core.read.gpu0_to_gpu1");
    EXPECT_EQ(options.grace_s, 2);
    EXPECT_FALSE(options.deadline_s);
    EXPECT_EQ(options.command, (std::vector<std::string>{"program", "--help", "--", "x"}));
}

TEST(SuperviseOptions, TheDeadlineAlone) {
    const auto options = parse({"--deadline", "0.5", "--", "true"});
    EXPECT_FALSE(options.session_folder);
    EXPECT_EQ(options.deadline_s, 0.5);
    EXPECT_EQ(options.grace_s, 5);
}

TEST(SuperviseOptions, HelpIsNoError) { EXPECT_THROW(parse({"--help"}), HelpAsked); }

class Refused : public ::testing::TestWithParam<std::vector<const char*>> {};
TEST_P(Refused, AsUsage) { EXPECT_THROW(parse(GetParam()), UsageError); }
INSTANTIATE_TEST_SUITE_P(SuperviseOptions, Refused,
                         ::testing::ValuesIn(std::vector<std::vector<const char*>>{
                             {},
                             {"--deadline", "1"},
                             {"--deadline", "1", "--"},
                             {"--deadline", "1", "true"},
                             {"--", "true"},
                             {"--deadline", "0", "--", "true"},
                             {"--deadline", "nan", "--", "true"},
                             {"--deadline", "inf", "--", "true"},
                             {"--deadline", "-1", "--", "true"},
                             {"--deadline", "soon", "--", "true"},
                             {"--deadline", "1", "--unknown", "--", "true"},
                             {"--session-folder", "/a", "--", "true"},
                             {"--session-folder", "", "--case", "a", "--", "true"},
                             {"--case", "core.read", "--", "true"},
                             {"--session-folder", "/a", "--case", "../../etc/passwd", "--", "true"},
                             {"--session-folder", "/a", "--case", "..", "--", "true"},
                             {"--session-folder", "/a", "--case", "", "--", "true"}}));

TEST(ByHand, IsReadBackByAShell) {
    EXPECT_EQ(shell_quoted("/plain/path-1.0"), "/plain/path-1.0");
    EXPECT_EQ(shell_quoted(""), "''");
    EXPECT_EQ(shell_quoted("it's $HOME"), "'it'\\''s $HOME'");
}

TEST(ByHand, NobodyTakesTheRecord) {
    for (const char* name : {"LD_LIBRARY_PATH", "PEERPROOF_SIMULATED_STATE", "CUDA_DEVICE_ORDER"})
        ::unsetenv(name);
    ::setenv("PEERPROOF_BENCH", "/a b.toml", 1);
    EXPECT_EQ(by_hand({"conformance", "--record-fd", "3", "--gtest_filter=A.B/c"}),
              "PEERPROOF_BENCH='/a b.toml' conformance --gtest_filter=A.B/c");
}

}  // namespace
}  // namespace peerproof::supervise
