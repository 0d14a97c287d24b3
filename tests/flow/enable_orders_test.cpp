// Each probe of the check of enable orders by itself: benches that lie of one window, after one switch, for loads or
// for stores only.
#include <gtest/gtest.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

const std::string id = "evidence.enable_orders.gpu0_gpu1";

// Rules of one [[when]]; from and to are of the data: loads of gpu1 from gpu0 are 0 to 1.
nlohmann::json record_on(const std::string& rules) {
    Flow flow;
    flow.bench_text(
        "orders-x2",
        "description = \"A window lies after a switch.\"\n[gpus]\ncount = 2\nmemory_mib = 1024\n" + rules +
            "[expect]\nverdict = \"suspect\"\n");
    flow.ctest({"-R", "enable_orders"});
    return flow.record(id);
}

std::string rule(const std::string& enabling, int from, int to, const std::string& what) {
    return "[[when]]\nenabling = \"" + enabling + "\"\nfrom = " + std::to_string(from) +
           "\nto = " + std::to_string(to) + "\n" + what + "\n";
}

void expect_found(const nlohmann::json& record, const std::string& outcome, const std::string& words) {
    EXPECT_EQ(record.at("outcome"), outcome) << record.at("summary");
    EXPECT_TRUE(record.at("summary").get<std::string>().starts_with(words)) << record.at("summary");
}

TEST(EnableOrders, FindAWindowThatTheOtherSideOpenedForLoads) {
    expect_found(record_on(rule("other_side_only", 0, 1, "load = \"real\"")), "wrong",
                 "gpu0 on: a kernel on gpu1 loads the memory of gpu0");
}

TEST(EnableOrders, FindAWindowThatTheOtherSideOpenedForStores) {
    expect_found(record_on(rule("other_side_only", 0, 1, "store = \"real\"")), "wrong",
                 "gpu1 on: a kernel on gpu0 stores into the memory of gpu1");
}

TEST(EnableOrders, FindAWindowThatStaysOpenForLoads) {
    expect_found(record_on(rule("off", 0, 1, "load = \"real\"")), "wrong",
                 "gpu0 on, gpu1 on, gpu1 off: a kernel on gpu1 loads the memory of gpu0");
}

TEST(EnableOrders, FindAWindowThatStaysOpenForStores) {
    expect_found(record_on(rule("off", 0, 1, "store = \"real\"")), "wrong",
                 "gpu0 off, illegal: a kernel on gpu0 stores into the memory of gpu1");
}

TEST(EnableOrders, FindWhatGoesWrongInTheOtherOrder) {
    expect_found(record_on(rule("on_again", 1, 0, "store = \"dropped\"")), "missing",
                 "gpu1 on again: right after it a kernel on gpu1 stores");
}

TEST(EnableOrders, FindStoresOfTheSecondTurn) {
    expect_found(record_on(rule("on_again", 0, 1, "store = \"dropped\"")), "missing",
                 "gpu0 on again: right after it a kernel on gpu0 stores");
    expect_found(record_on(rule("twice", 0, 1, "store = \"dropped\"")), "missing",
                 "gpu0 on once more: right after it a kernel on gpu0 stores");
}

// Nothing is made of a switch: what the first call of a GPU refuses is refused, whoever's it is.
TEST(EnableOrders, AreRefusedWhereOneSideIs) {
    const auto record = record_on("[[pair]]\nfrom = 1\nto = 0\nenable = 101\n");
    expect_found(record, "refused", "gpu1 on: cudaDeviceEnablePeerAccess answered 101");
    EXPECT_EQ(record.at("steps").back().at("call"), "cudaDeviceEnablePeerAccess");
}

TEST(EnableOrders, AreOfNoSelfCheck) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.set("PEERPROOF_SELF_CHECK", "locked");
    flow.ctest({"-R", "enable_orders"});
    EXPECT_EQ(flow.outcome(id), "not_applicable");
    EXPECT_TRUE(flow.record(id).at("steps").at(0).at("detail") == "a self-check enables no peer access");
}

// Every illegal address has a process of its own: three beside the case, and each ends before the next begins.
TEST(EnableOrders, OfAnOpenPairTakeEverySwitch) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", "open-x2");
    flow.ctest({"-R", "enable_orders"});
    std::map<std::string, int> outcomes;
    const auto record = flow.record(id);
    for (const auto& step : record.at("steps")) ++outcomes[step.at("outcome")];
    EXPECT_EQ(flow.outcome(id), "delivered");
    EXPECT_EQ(outcomes, (std::map<std::string, int>{{"delivered", 13}, {"illegal_address", 4}}));
}

}  // namespace
}  // namespace peerproof::flow
