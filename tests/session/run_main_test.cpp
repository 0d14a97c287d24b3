#include "session/run_main.hpp"

#include <gtest/gtest.h>

#include "session/json.hpp"
#include "session/settings.hpp"

namespace peerproof {
namespace {

int run(const std::function<int()>& program, std::string& said) {
    testing::internal::CaptureStderr();
    const int code = run_main("program", program);
    said = testing::internal::GetCapturedStderr();
    return code;
}

TEST(RunMain, AnswersWhatTheProgramAnswers) {
    std::string said;
    EXPECT_EQ(run([] { return 1; }, said), 1);
    EXPECT_EQ(said, "");
}

TEST(RunMain, BlamesWhatThePersonGave) {
    std::string said;
    EXPECT_EQ(run([]() -> int { throw UsageError("no such bench"); }, said), 64);
    EXPECT_EQ(said, "program: no such bench\n");
    EXPECT_EQ(run([]() -> int { throw FormatError("plan.json: is not JSON"); }, said), 64);
    EXPECT_EQ(said, "program: plan.json: is not JSON\n");
}

TEST(RunMain, HasNoVerdictOfAnythingElse) {
    std::string said;
    EXPECT_EQ(run([]() -> int { throw std::logic_error("two of one number"); }, said), 75);
    EXPECT_EQ(said, "program: two of one number\n");
}

}  // namespace
}  // namespace peerproof
