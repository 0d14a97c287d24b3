// Many runs, one after the other: a bench that is open nine times of ten is not open.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

class Runs : public testing::Test {
  protected:
    // ctest/bench with as little as a run can be.
    Ended runs(const std::string& bench, int count) {
        return run({PEERPROOF_BENCH_COMMAND,
                    "--test-dir",
                    flow.folder().string(),
                    "--out",
                    flow.out().string(),
                    "--simulate",
                    bench,
                    "--runs",
                    std::to_string(count),
                    "--measurements",
                    "off",
                    "--collective",
                    "off",
                    "--ways",
                    "off",
                    "--large",
                    "1",
                    "-j2",
                    "--deadline",
                    "20"},
                   {});
    }
    // The one folder of runs that there is.
    fs::path folder() {
        for (const auto& entry : fs::directory_iterator(flow.out())) {
            if (entry.path().string().ends_with("-runs")) return entry.path();
        }
        ADD_FAILURE() << "no folder of runs";
        return {};
    }
    Flow flow;
};

TEST_F(Runs, OpenNineTimesOfTen) {
    const std::string name = "every-tenth-run-x2";
    const Ended ended = runs(name, 10);
    EXPECT_EQ(ended.code, 1) << ended.output;
    const auto series = nlohmann::json::parse(text_of(folder() / "series.json"));
    const auto file = toml::parse_file((fs::path(PEERPROOF_STAGE) / "benches" / (name + ".toml")).string());
    const std::string expected = file["expect"]["series"].value_or(std::string());
    EXPECT_NE(ended.output.find("runs: 10 of 10: " + expected + "\nverdict: silent\nreason: run 10 ("),
              std::string::npos)
        << ended.output;
    EXPECT_NE(ended.output.find("run 9 of 10: open: pairs=2 checks=6 failures=0 ("), std::string::npos)
        << ended.output;
    EXPECT_NE(ended.output.find("run 10 of 10: silent: pairs=2 checks=6 failures=1; "), std::string::npos)
        << ended.output;
    EXPECT_EQ(series.at("verdict"), "silent");
    for (const auto& one : series.at("cases")) {
        if (one.at("family") != "core") continue;
        EXPECT_EQ(one.at("flipped"), one.at("case") == "core.read.gpu0_to_gpu1") << one;
    }
}

TEST_F(Runs, AllAsExpected) {
    const Ended ended = runs("locked-x2", 2);
    EXPECT_EQ(ended.code, 1) << "open was expected: " << ended.output;
    EXPECT_NE(ended.output.find("runs: 2 of 2: 2 locked\nverdict: locked\n"), std::string::npos)
        << ended.output;
    fs::remove_all(folder());
    const Ended open = runs("open-x2", 2);
    EXPECT_EQ(open.code, 0) << open.output;
    EXPECT_NE(open.output.find("runs: 2 of 2: 2 open\nverdict: open\nreports: "), std::string::npos)
        << open.output;
    EXPECT_NE(open.output.find("SIMULATED BENCH open-x2"), std::string::npos) << open.output;
}

}  // namespace
}  // namespace peerproof::flow
