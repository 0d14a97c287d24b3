#include "reports/writing/markdown_report.hpp"

#include <gtest/gtest.h>

#include "reports/judging/judge.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

bool says(const std::string& in, std::string_view what) { return in.find(what) != std::string::npos; }
std::string summary_of(const Session& session) { return markdown_report(judge(session), session); }

TEST(Markdown, SaysVerdictReasonSignatureMatrixAndFailures) {
    Session session = sample::open_session(3);
    sample::observe(session, "core.write.gpu0_to_gpu2", Outcome::missing);
    sample::remove_record(session, "evidence.staged_copy.gpu0_to_gpu1");
    const std::string text = summary_of(session);
    EXPECT_TRUE(text.starts_with("## peerproof: silent (expected open)\n")) << text.substr(0, 200);
    for (const char* part : {"**reason:** 1 of 18 core checks reported success",
                             "`pairs=6 checks=18 failures=1`", "| **gpu0** |   | `crw` | `cr0` |\n",
                             "`0` missing", "| core.write.gpu0&#95;to&#95;gpu2 | missing | ", "### Not run",
                             "**next:** Use no peer access", "bench7, 3 GPUs"})
        EXPECT_TRUE(says(text, part)) << part << "\n" << text;
}

TEST(Markdown, ASimulatedBenchSaysSoBeforeEverything) {
    Session session = sample::open_session(2);
    session.plan->simulated = "open-x2";
    for (Record& record : session.records) record.simulated = "open-x2";
    EXPECT_TRUE(summary_of(session).starts_with("> **SIMULATED BENCH open&#45;x2&#58; "));
}

TEST(Markdown, TextIsNeverMarkup) {
    EXPECT_EQ(markdown_text("<b>`x`|*y* [z](u) @me #1\n- a", 100),
              "&lt;b&#62;&#96;x&#96;&#124;&#42;y&#42; &#91;z&#93;&#40;u&#41; &#64;me &#35;1 &#45; a");
    for (const std::string& hostile : hostile_texts()) {
        Session session = sample::open_session(2);
        sample::add_every_sum(session);
        sample::observe(session, "core.read.gpu0_to_gpu1", Outcome::wrong);
        sample::spoil_texts(session, hostile);
        const std::string text = summary_of(session);
        EXPECT_LT(text.size(), markdown_limit);
        EXPECT_FALSE(says(text, "<testcase") || says(text, "]]>") || says(text, "\x1b") ||
                     says(text, "\nverdict: open"));
    }
}

TEST(Markdown, SixtyFourLockedGpusStayBelowTheLimit) {
    const std::string text = summary_of(sample::locked_session(64));
    EXPECT_LT(text.size(), markdown_limit);
    EXPECT_TRUE(says(text, "The matrix of 64 GPUs is in report.html"));
    EXPECT_TRUE(says(text, "and 8024 more"));
    const std::string shown = summary_of(sample::locked_session(32));
    EXPECT_LT(shown.size(), markdown_limit);
    EXPECT_TRUE(says(shown, "| **gpu31** |"));
}

}  // namespace
}  // namespace peerproof
