// The plan of a session that really was opened: which cases it has, in which order, and what it takes from
// the environment.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

class OpenedPlan : public testing::Test {
  protected:
    OpenedPlan() { flow.set("PEERPROOF_BENCH", "open-x2"); }
    // Opens a session of its own; nothing of it is run but that.
    nlohmann::json opened() {
        flow.ctest({"-R", "^bench.open$"});
        return nlohmann::json::parse(text_of(flow.session() / "plan.json"));
    }
    static nlohmann::json find(const nlohmann::json& plan, const std::string& id) {
        for (const auto& one : plan.at("cases")) {
            if (one.at("id") == id) return one;
        }
        ADD_FAILURE() << "the plan has no " << id;
        return nlohmann::json::object();
    }
    Flow flow;
};

TEST_F(OpenedPlan, HasEveryControlOfEveryGpuAndTheirOrder) {
    const auto plan = opened();
    for (const std::string gpu : {"gpu0", "gpu1"}) {
        for (const std::string check : {"fault", "negative", "positive", "recovery"})
            EXPECT_EQ(find(plan, "control." + check + "." + gpu).at("family"), "control");
        EXPECT_EQ(find(plan, "control.recovery." + gpu).at("after"),
                  nlohmann::json::array({"control.fault." + gpu}));
        const auto closing = find(plan, "closing.still_there." + gpu);
        EXPECT_EQ(closing.at("accepted"), nlohmann::json::array({"delivered"}));
        EXPECT_EQ(closing.at("gates"), true);
    }
    EXPECT_EQ(plan.at("cases").back().at("family"), "closing");
}

TEST_F(OpenedPlan, IsStampedWithANumberOfItsOwn) {
    const auto first = opened(), second = opened();
    EXPECT_NE(first.at("session"), second.at("session"));
    EXPECT_NE(first.at("run"), second.at("run"));
}

TEST_F(OpenedPlan, TakesTheSizeOfTheLargeStep) {
    flow.unset("PEERPROOF_LARGE_MIB");
    EXPECT_EQ(opened().at("large_step_mib"), 16);
    flow.set("PEERPROOF_LARGE_MIB", "8");
    EXPECT_EQ(opened().at("large_step_mib"), 8);
}

}  // namespace
}  // namespace peerproof::flow
