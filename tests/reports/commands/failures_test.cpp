// What failed, folded: in the lines of a run, and in the findings of its end.
#include "reports/commands/failures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reports/judging/judge.hpp"
#include "reports/writing/terminal/follows.hpp"
#include "reports/writing/terminal/summary.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using Lines = std::vector<std::string>;

EndedTest failed(const std::string& name, const std::string& reason) {
    return {.name = name, .failed = true, .result = "Failed", .seconds = 0.1, .reason = reason};
}

Lines lines_of(const std::vector<EndedTest>& tests, std::size_t width = 100) {
    Failures failures;
    for (const EndedTest& test : tests) failures.add(test);
    return failures.lines(width, {});
}

TEST(Failures, ThatDifferInTheirPlaceAloneAreOneLine) {
    const std::string fault =
        "illegal_address (expected delivered) in 0.0%1 s: sample: moving bytes: cudaStreamSynchronize "
        "answered 700 cudaErrorIllegalAddress";
    std::vector<EndedTest> tests;
    for (const char* pair : {"gpu0_to_gpu1", "gpu0_to_gpu2", "gpu10_to_gpu2"}) {
        std::string reason = fault;
        reason.replace(reason.find("%1"), 2, std::to_string(tests.size()));
        tests.push_back(failed(std::string("measurement.read_bandwidth.") + pair, reason));
        tests.push_back(failed(std::string("core.read.") + pair, reason));
    }
    EXPECT_EQ(lines_of(tests), (Lines{"failed read bandwidth: illegal address, 3 pairs",
                                      "failed core read: illegal address, 3 pairs"}));
    EXPECT_EQ(lines_of({tests[0]}),
              (Lines{"failed measurement.read_bandwidth.gpu0_to_gpu1: illegal address: sample: moving bytes: "
                     "cudaStream..."}));
    EXPECT_EQ(lines_of({failed("control.fault.gpu0", "hung (expected illegal_address) in 4.0 s: at load"),
                        failed("control.fault.gpu1", "hung (expected illegal_address) in 4.1 s: at load")}),
              Lines{"failed control fault: hung, 2 GPUs (gpu0, gpu1): at load"});
}

TEST(Failures, OfAWayNameIt) {
    const std::string said = "refused (expected delivered) in 0.1 s: cuMemSetAccess answered 801";
    EXPECT_EQ(
        lines_of({failed("way.vmm.gpu0_to_gpu1", said), failed("way.vmm.gpu1_to_gpu0", said)}),
        Lines{"failed way vmm: refused, 2 pairs (gpu0_to_gpu1, gpu1_to_gpu0): cuMemSetAccess answered 801"});
}

TEST(Failures, OfAnotherOutcomeOrForAnotherReasonHaveALineOfTheirOwn) {
    const auto in = [](const char* pair, const std::string& said) {
        return failed(std::string("core.read.gpu0_to_gpu") + pair, said);
    };
    EXPECT_EQ(lines_of({in("1", "wrong (expected delivered) in 0.1 s: word: zeros in the word"),
                        in("2", "missing (expected delivered) in 0.1 s: word: zeros in the word"),
                        in("3", "wrong (expected delivered) in 0.1 s: word: all ones in the word"),
                        in("4", "wrong (expected delivered) in 0.1 s: block: zeros in 7 of 512 words"),
                        in("5", "wrong (expected delivered) in 0.1 s: block: zeros in 8 of 512 words")}),
              (Lines{"failed core.read.gpu0_to_gpu1: wrong: word: zeros in the word",
                     "failed core.read.gpu0_to_gpu2: missing: word: zeros in the word",
                     "failed core.read.gpu0_to_gpu3: wrong: word: all ones in the word",
                     "failed core read: wrong, 2 pairs (gpu0_to_gpu4, gpu0_to_gpu5), one of them: block: "
                     "zeros in 7 of ..."}));
    EXPECT_EQ(lines_of({in("1", "crashed (expected delivered) in 0.1 s: exit code 3"),
                        in("2", "crashed (expected delivered) in 0.1 s: exit code 4")})
                  .size(),
              2u);
    EXPECT_EQ(lines_of({in("1", "refused (expected delivered) in 0.1 s: 2 cudaErrorMemoryAllocation"),
                        in("2", "refused (expected delivered) in 0.1 s: 46 cudaErrorDevicesUnavailable")})
                  .size(),
              2u);
    auto late = in("1", "");
    late.result = "Timeout";
    EXPECT_EQ(lines_of({late, in("2", "")}).size(), 2u);
}

TEST(Failures, ThatAreNoCasesKeepTheirNames) {
    EXPECT_EQ(lines_of({failed("bench.open", "no such bench"), failed("bench.open", "no such bench")}).size(),
              2u);
    EXPECT_EQ(lines_of({failed("verdict", "locked")}), Lines{}) << "the closing lines say it";
    EXPECT_EQ(lines_of({failed("verdict", "cannot be written")}), Lines{"failed verdict: cannot be written"});
}

TEST(Failures, AreNewsOnce) {
    Failures failures;
    failures.add(failed("core.read.gpu0_to_gpu1", "x"));
    EXPECT_EQ(failures.news(100, {}).size(), 1u);
    EXPECT_TRUE(failures.news(100, {}).empty());
    failures.add(failed("core.read.gpu0_to_gpu2", "x"));
    EXPECT_EQ(failures.news(100, {}), Lines{"failed core read: 2 pairs (gpu0_to_gpu1, gpu0_to_gpu2): x"});
}

// A bench of which the core says that it is closed, with everything else that was measured.
Session closed_with_measurements() {
    Session session = sample::locked_session(3);
    sample::add_measurements(session);
    for (Record& record : session.records) {
        const bool by_kernel = record.check.find("read") != std::string::npos ||
                               record.check.find("write") != std::string::npos || record.check == "ping_pong";
        if (record.family != Family::measurement || !by_kernel) continue;
        record.outcome = Outcome::illegal_address;
        record.measurements.clear();
        record.steps = {{.name = "sample",
                         .outcome = Outcome::illegal_address,
                         .error = "700 cudaErrorIllegalAddress",
                         .diagnosis = "api error"}};
        record.summary = "sample: moving bytes: cudaStreamSynchronize answered 700 cudaErrorIllegalAddress";
        record.exit_code = 1;
    }
    for (Case& one : session.plan->cases) {
        if (one.family == Family::measurement) one.accepted = {Outcome::delivered};
    }
    return session;
}

int told(const Session& session) {
    const Verdict verdict = judge(session);
    const Ledger ledger(session);
    int count = 0;
    for (const Finding& finding : verdict.findings)
        count += finding.word == "measurement" && !follows_from_core(ledger, finding);
    return count;
}

TEST(Follows, WhatCameOutAsTheCoreChecksDid) {
    const Session session = closed_with_measurements();
    EXPECT_EQ(told(session), 0);
    const std::string text = terminal_summary(judge(session), session, {});
    EXPECT_NE(text.find("- as the core checks of the same pairs: "), std::string::npos) << text;
    EXPECT_EQ(text.find("- measurement: "), std::string::npos) << text;
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24) << text;
}

// A bench that lies to every kernel lies in every way too: that is told once.
TEST(Follows, WaysThatLieAsTheCoreOfTheirPair) {
    Session session = sample::open_session(2);
    sample::add_ways(session);
    for (const Case& one : session.plan->cases) {
        if (one.check == "write" || one.family == Family::way)
            sample::observe(session, one.id, Outcome::missing);
    }
    const std::string text = terminal_summary(judge(session), session, {});
    EXPECT_NE(text.find("- as the core checks of the same pairs: 14 cases"), std::string::npos) << text;
    EXPECT_EQ(text.find("- way "), std::string::npos) << text;
    sample::observe(session, "way.vmm.gpu0_to_gpu1", Outcome::wrong);
    const std::string other = terminal_summary(judge(session), session, {});
    EXPECT_NE(other.find("- way vmm: wrong"), std::string::npos) << other;
}

TEST(Follows, NeitherAnotherOutcomeNorAnotherReasonNorAnOpenPair) {
    const auto spoiled = [](const std::function<void(Session&)>& change) {
        Session session = closed_with_measurements();
        change(session);
        return told(session);
    };
    const char* const speed = "measurement.read_bandwidth.gpu0_to_gpu1";
    EXPECT_EQ(spoiled([&](Session& s) { sample::record(s, speed).outcome = Outcome::wrong; }), 1);
    EXPECT_EQ(spoiled([&](Session& s) {
                  sample::record(s, speed).steps[0].error = "719 cudaErrorLaunchFailure";
                  sample::record(s, speed).summary = "719";
              }),
              1);
    EXPECT_EQ(spoiled([&](Session& s) { sample::observe(s, "core.read.gpu0_to_gpu1", Outcome::delivered); }),
              2)
        << "speed and latency of that pair are of an open read";
}

}  // namespace
}  // namespace peerproof
