// The collective where something of it is missing, and what is left of one that hangs. The benches themselves
// are in benches_test.cpp.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/flow/flow.hpp"

namespace peerproof::flow {
namespace {

class CollectiveFlow : public testing::Test {
  protected:
    CollectiveFlow() {
        flow.set("PEERPROOF_BENCH", "open-x2");
        flow.set("PEERPROOF_COLLECTIVE", "on");
        flow.set("PEERPROOF_DEADLINE", "20");
    }
    // A folder of its own, so that something in it can be another.
    fs::path own(const std::string& name) {
        const fs::path folder = flow.folder() / name, real = fs::canonical(folder);
        fs::remove(folder);
        fs::copy(real, folder, fs::copy_options::recursive);
        return folder;
    }
    std::string verdict() { return flow.report().at("verdict"); }
    std::string line() { return flow.report().at("collective"); }

    Flow flow;
};

TEST_F(CollectiveFlow, IsNotBuiltAndTheVerdictSaysSo) {
    fs::remove(own("bin") / "collective");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(verdict(), "open");
    EXPECT_EQ(line(), "not run: this peerproof was built without NCCL");
    EXPECT_NE(text_of(flow.session() / "report.txt").find("\ncollective: not run: "), std::string::npos);
}

TEST_F(CollectiveFlow, FindsNoNcclAndTheVerdictSaysSo) {
    // As on a bench without NCCL: no libnccl.so.2 in any place that the program names.
    const fs::path program = own("bin") / "collective", script = flow.out().parent_path() / "no_rpath.cmake";
    fs::remove(own("lib") / "simulated/libnccl.so.2");
    std::ofstream(script) << "file(RPATH_REMOVE FILE [[" << program.string() << "]])\n";
    const Ended removed = run({PEERPROOF_CMAKE, "-P", script.string()}, {});
    ASSERT_EQ(removed.code, 0) << removed.output;
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(verdict(), "open");
    // Where the machine has one among its own libraries, that one is found and refused.
    EXPECT_TRUE(line().starts_with("not run: collective cannot run here: ")) << line();
    EXPECT_TRUE(line().find("libnccl.so.2: cannot open") != std::string::npos ||
                line().find("NCCL is real") != std::string::npos)
        << line();
}

TEST_F(CollectiveFlow, ARealNcclOnASimulatedBenchIsRefused) {
    const fs::path bin = own("bin"), real = bin / "collective.real";
    fs::rename(bin / "collective", real);
    // A library that has NCCL's name and is not of the simulated bench.
    const fs::path libraries = flow.out().parent_path() / "other nccl";
    fs::create_directory(libraries);
    const Ended made = run({PEERPROOF_CXX, "-shared", "-fPIC", "-o", (libraries / "libnccl.so.2").string(),
                            "-xc", "-", "-Wl,-soname,libnccl.so.2"},
                           {});
    ASSERT_EQ(made.code, 0) << made.output;
    std::ofstream(bin / "collective") << "#!/bin/sh\nLD_LIBRARY_PATH='" << libraries.string()
                                      << "':\"$LD_LIBRARY_PATH\" exec '" << real.string() << "' \"$@\"\n";
    fs::permissions(bin / "collective", fs::perms::owner_all);
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(verdict(), "open") << ended.output;
    EXPECT_NE(line().find("NCCL is real"), std::string::npos) << line();
}

TEST_F(CollectiveFlow, InheritedSettingsAreTakenOutAndNamed) {
    flow.set("NCCL_P2P_DISABLE", "1");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_EQ(line(), "2 of 2 all-reduces held over P2P and no other path");
    EXPECT_NE(flow.report().at("findings").dump().find("NCCL_P2P_DISABLE=1 (taken out), from environment"),
              std::string::npos);
}

// NCCL expands %h and %p in the name of its log, and a folder may have such a name.
TEST_F(CollectiveFlow, TheLogIsFoundInAFolderWithPercentSigns) {
    const fs::path out = flow.out().parent_path() / "50%h of %p%";
    flow.set("PEERPROOF_OUT", out.string());
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    const auto report = nlohmann::json::parse(text_of(out / "latest" / "report.json"));
    EXPECT_EQ(report.at("collective"), "2 of 2 all-reduces held over P2P and no other path");
}

TEST_F(CollectiveFlow, EveryPairAlsoSendsInBothDirections) {
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    std::set<std::string> steps;
    const auto record = flow.record("collective.all_reduce.gpu0_gpu1");
    for (const auto& step : record.at("steps")) steps.insert(step.at("name"));
    for (const char* sent :
         {"send_gpu0_to_gpu1", "send_gpu0_to_gpu1_values", "send_gpu1_to_gpu0", "send_gpu1_to_gpu0_values"})
        EXPECT_EQ(steps.count(sent), 1u) << sent;
}

TEST_F(CollectiveFlow, ASelfCheckHasNone) {
    flow.set("PEERPROOF_SELF_CHECK", "locked");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_NE(line().find("not run: a self-check enables no peer access"), std::string::npos) << line();
}

TEST_F(CollectiveFlow, AHangIsRecordedWithItsStepItsPathAndWhatTheAbortDid) {
    flow.set("PEERPROOF_BENCH", "abort-hang-x3");
    flow.set("PEERPROOF_DEADLINE", "12");
    const Ended ended = flow.ctest({"-j2"});
    EXPECT_EQ(ended.code, 8);
    const auto record = flow.record("collective.all_reduce.bench");
    EXPECT_EQ(record.at("outcome"), "hung");
    EXPECT_EQ(record.at("state"), "finished");
    EXPECT_EQ(record.at("edges").size(), 3u);
    const auto& steps = record.at("steps");
    ASSERT_GE(steps.size(), 2u);
    EXPECT_EQ(steps[steps.size() - 2].at("name"), "all_reduce_of_4_bytes");
    EXPECT_EQ(steps.back().at("name"), "abort");
    EXPECT_EQ(steps.back().at("outcome"), "hung");
    EXPECT_TRUE(fs::exists(flow.session() / "logs/collective.all_reduce.bench.nccl.log"));
}

}  // namespace
}  // namespace peerproof::flow
