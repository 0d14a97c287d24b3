// The plan of a session that really was opened: which cases it has, in which order, and what it takes from
// the environment.
#include <gtest/gtest.h>

#include <algorithm>

#include "session/ways.hpp"
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

// The names that the settings take are those of the checks that there are.
TEST_F(OpenedPlan, HasEveryWayOnEveryPairUnlessItIsToldWhich) {
    flow.unset("PEERPROOF_WAYS");
    const auto plan = opened();
    std::size_t ways = 0;
    for (const auto& one : plan.at("cases")) ways += one.at("family") == "way" ? 1 : 0;
    EXPECT_EQ(ways, 2 * all_ways.size());
    for (const WayName& way : all_ways) {
        for (const char* place : {".gpu0_to_gpu1", ".gpu1_to_gpu0"}) {
            const auto one = find(plan, "way." + std::string(way.name) + place);
            EXPECT_EQ(one.at("number"), way.number);
            EXPECT_EQ(one.at("gates"), true);
            EXPECT_EQ(one.at("accepted"), nlohmann::json({"delivered", "refused", "not_applicable"}));
        }
    }
    EXPECT_FALSE(plan.at("not_run").contains("ways"));
    EXPECT_FALSE(plan.contains("required_ways"));
}

TEST_F(OpenedPlan, SaysWhichWaysAreLeftOutAndWhy) {
    flow.set("PEERPROOF_WAYS", "graph,ipc");
    auto plan = opened();
    find(plan, "way.graph.gpu0_to_gpu1");
    find(plan, "way.ipc.gpu1_to_gpu0");
    EXPECT_EQ(plan.at("not_run").at("ways"), "PEERPROOF_WAYS leaves out: vmm, pool, atomics, order, widths");
    flow.set("PEERPROOF_WAYS", "off");
    plan = opened();
    EXPECT_EQ(plan.at("not_run").at("ways"), "PEERPROOF_WAYS is off");
    flow.set("PEERPROOF_WAYS", "on");
    flow.set("PEERPROOF_SELF_CHECK", "locked");
    plan = opened();
    EXPECT_EQ(plan.at("not_run").at("ways"), "a self-check enables no peer access");
    for (const auto& one : plan.at("cases")) EXPECT_NE(one.at("family"), "way");
}

TEST_F(OpenedPlan, HasTheCrowdBehindTheWholeCoreUnlessItIsOff) {
    flow.set("PEERPROOF_CROWD", "7");
    auto plan = opened();
    EXPECT_EQ(plan.at("crowd_s"), 7);
    for (const char* check : {"all_pairs", "all_to_all", "ring"}) {
        const auto one = find(plan, "crowd." + std::string(check) + ".bench");
        EXPECT_EQ(one.at("gpus"), nlohmann::json({0, 1}));
        EXPECT_EQ(one.at("gates"), true);
        EXPECT_EQ(one.at("after").size(), 6u);  // every core check
    }
    flow.set("PEERPROOF_CROWD", "on");
    EXPECT_FALSE(opened().contains("crowd_s"));  // a simulated bench: as few rounds as there may be
    flow.set("PEERPROOF_CROWD", "off");
    plan = opened();
    EXPECT_EQ(plan.at("not_run").at("crowd"), "PEERPROOF_CROWD is off");
    for (const auto& one : plan.at("cases")) EXPECT_NE(one.at("family"), "crowd");
}

TEST_F(OpenedPlan, HasASoakWhereOneIsAskedForBehindEverythingButTheEnd) {
    auto plan = opened();
    EXPECT_FALSE(plan.contains("soak_s"));
    for (const auto& one : plan.at("cases")) EXPECT_NE(one.at("family"), "soak");
    flow.set("PEERPROOF_SOAK", "2m");
    flow.set("PEERPROOF_WAYS", "on");
    flow.set("PEERPROOF_CROWD", "on");
    plan = opened();
    EXPECT_EQ(plan.at("soak_s"), 120);
    const auto soak = find(plan, "soak.rounds.bench");
    EXPECT_EQ(soak.at("gates"), true);
    EXPECT_EQ(soak.at("gpus"), nlohmann::json({0, 1}));
    std::size_t before = 0;
    for (const auto& one : plan.at("cases")) {
        const std::string family = one.at("family");
        before += family != "control" && family != "soak" && family != "again" && family != "closing";
    }
    EXPECT_EQ(soak.at("after").size(), before);
    const auto again = find(plan, "again.copy.gpu0_to_gpu1").at("after");
    EXPECT_NE(std::find(again.begin(), again.end(), "soak.rounds.bench"), again.end());
    flow.set("PEERPROOF_SELF_CHECK", "locked");
    plan = opened();
    EXPECT_EQ(plan.at("not_run").at("soak"), "a self-check enables no peer access");
    for (const auto& one : plan.at("cases")) EXPECT_NE(one.at("family"), "soak");
}

TEST_F(OpenedPlan, AcceptsOfARequiredWayThatItDelivers) {
    flow.set("PEERPROOF_WAYS", "on");
    flow.set("PEERPROOF_REQUIRE", "vmm");
    const auto plan = opened();
    EXPECT_EQ(plan.at("required_ways"), nlohmann::json::array({"vmm"}));
    EXPECT_EQ(find(plan, "way.vmm.gpu0_to_gpu1").at("accepted"), nlohmann::json::array({"delivered"}));
    EXPECT_EQ(find(plan, "way.ipc.gpu0_to_gpu1").at("accepted").size(), 3u);
}

TEST_F(OpenedPlan, SaysHowManyTestsThereAreAndAboutHowLongTheyTake) {
    const Ended ended = flow.ctest({"-R", "^bench.open$", "-V"});
    const auto plan = nlohmann::json::parse(text_of(flow.session() / "plan.json"));
    const std::string count = std::to_string(plan.at("cases").size() + 2);
    EXPECT_NE(ended.output.find(": " + count + " tests on 2 GPUs: 8 controls, 6 core checks"),
              std::string::npos)
        << ended.output;
    EXPECT_NE(ended.output.find("at once, as measured on a simulated bench"), std::string::npos);
}

// The list of tests is made before there is a session, and of a bench whose links say what is shared.
TEST_F(OpenedPlan, LocksForAMeasurementWhatItsLinksShare) {
    flow.set("PEERPROOF_MEASUREMENTS", "brief");
    const auto lock = [&](const std::string& place) -> nlohmann::json {
        const auto listed = nlohmann::json::parse(flow.ctest({"--show-only=json-v1"}).output);
        for (const auto& test : listed.at("tests")) {
            if (test.at("name") != "measurement.read_bandwidth." + place) continue;
            for (const auto& property : test.at("properties"))
                if (property.at("name") == "RESOURCE_LOCK") return property.at("value");
        }
        return nullptr;
    };
    flow.set("PEERPROOF_BENCH", "open-nvlink-pairs-x4");
    EXPECT_EQ(lock("gpu0_to_gpu1"), nlohmann::json::array({"gpu0", "gpu1"}));
    EXPECT_EQ(lock("gpu0_to_gpu2"), nlohmann::json::array({"gpu0", "gpu1", "gpu2", "gpu3"}));
    flow.bench_text("two-behind-a-switch",
                    "description = \"Two of three GPUs behind one switch.\"\n"
                    "[gpus]\ncount = 3\nmemory_mib = 1024\n"
                    "[[switch]]\ngen = 4\nlanes = 16\n"
                    "[[link]]\ngpu = 0\nbehind = 0\n[[link]]\ngpu = 1\nbehind = 0\n"
                    "[expect]\nverdict = \"open\"\n");
    EXPECT_EQ(lock("gpu0_to_gpu1"), nlohmann::json::array({"gpu0", "gpu1"}));
    EXPECT_EQ(lock("gpu0_to_gpu2"), nlohmann::json::array({"gpu0", "gpu1", "gpu2"}));
}

TEST_F(OpenedPlan, TakesTheSizeOfTheLargeStep) {
    flow.unset("PEERPROOF_LARGE_MIB");
    EXPECT_EQ(opened().at("large_step_mib"), 16);
    flow.set("PEERPROOF_LARGE_MIB", "8");
    EXPECT_EQ(opened().at("large_step_mib"), 8);
}

}  // namespace
}  // namespace peerproof::flow
