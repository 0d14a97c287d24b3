// The programs by hand: what a person types to look at one case.
#include <gtest/gtest.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

// GoogleTest calls it a success where its filter selects nothing.
TEST(ByHand, AFilterThatSelectsNothingIsNoSuccess) {
    Flow flow;
    flow.set("PEERPROOF_BENCH", (flow.folder() / "benches/open-x2.toml").string());
    flow.set("LD_LIBRARY_PATH", (flow.folder() / "lib/simulated").string());
    const Ended none = flow.program("conformance", {"--gtest_filter=No.Such"});
    EXPECT_EQ(none.code, 70) << none.output;
    EXPECT_NE(none.output.find("0 tests ran of 0"), std::string::npos) << none.output;
    const Ended one = flow.program("conformance", {"--gtest_filter=Core/Copy.Arrives/gpu0_to_gpu1"});
    EXPECT_EQ(one.code, 0) << one.output;
}

}  // namespace
}  // namespace peerproof::flow
