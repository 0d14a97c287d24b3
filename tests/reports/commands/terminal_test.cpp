// What a person sees in a terminal: progress from ctest's output, and the summary at the end.
#include <gtest/gtest.h>

#include "reports/commands/soak_progress.hpp"
#include "reports/commands/watch.hpp"
#include "reports/judging/judge.hpp"
#include "reports/writing/terminal/summary.hpp"
#include "session/forecast.hpp"
#include "session/json.hpp"
#include "tests/reports/folder.hpp"
#include "tests/reports/report_program.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::vector<EndedTest> taken(CtestOutput& output, std::initializer_list<const char*> lines) {
    std::vector<EndedTest> all;
    for (const char* line : lines) {
        for (EndedTest& test : output.take(line)) all.push_back(std::move(test));
    }
    return all;
}

TEST(CtestOutput, CountsAndKnowsWhatRuns) {
    CtestOutput output;
    EXPECT_TRUE(taken(output, {"Test project /x", "      Start  1: bench.open",
                               "      Start  2: core.read.gpu0_to_gpu1"})
                    .empty());
    EXPECT_EQ(output.running(), (std::vector<std::string>{"bench.open", "core.read.gpu0_to_gpu1"}));
    const auto ended =
        taken(output, {" 1/42 Test  #1: bench.open ..........................   Passed    0.06 sec"});
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_EQ(ended[0].name, "bench.open");
    EXPECT_FALSE(ended[0].failed);
    EXPECT_EQ(output.done(), 1);
    EXPECT_EQ(output.total(), 42);
    EXPECT_EQ(output.running(), std::vector<std::string>{"core.read.gpu0_to_gpu1"});
    taken(output, {"2/42 Test #2: core.read.gpu0_to_gpu1 ...***Skipped   0.02 sec"});
    EXPECT_EQ(output.failed(), 0) << "inconclusive beside the core is no failure";
}

TEST(CtestOutput, AFailureIsToldInTheWordsOfItsCase) {
    CtestOutput output;
    auto ended = taken(
        output, {"3/42 Test #3: core.read.gpu0_to_gpu1 ...***Failed    0.31 sec",
                 "Note: Google Test filter = x", "core.read.gpu0_to_gpu1: missing (expected delivered)"});
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_TRUE(ended[0].failed);
    EXPECT_EQ(ended[0].reason, "missing (expected delivered)");
    EXPECT_DOUBLE_EQ(ended[0].seconds, 0.31);
    EXPECT_EQ(output.failed(), 1);
    // Where it says nothing of its own, the first line; and where ctest ends right then, nothing is lost.
    ended = taken(output, {"1/1 Test #1: bench.could_not_be_listed ...***Failed    0.01 sec",
                           "no such bench\x1b[2J", "more"});
    EXPECT_TRUE(ended.empty());
    ended = output.finish();
    ASSERT_EQ(ended.size(), 1u);
    EXPECT_EQ(ended[0].reason, "no such bench?[2J") << "nothing steers the terminal";
    ended = taken(output, {"4/42 Test #4: core.read.gpu1_to_gpu0 ...***Timeout  95.00 sec",
                           "5/42 Test #5: core.copy.gpu1_to_gpu0 ...***Exception: SegFault  0.10 sec",
                           "      Start 6: x"});
    ASSERT_EQ(ended.size(), 2u);
    EXPECT_EQ(ended[0].result, "Timeout");
    EXPECT_EQ(ended[1].result, "Exception: SegFault");
    EXPECT_EQ(output.failed(), 4);
}

TEST(Progress, HasCountTimeFailuresAndWhatRuns) {
    CtestOutput output;
    const Paint plain;
    taken(output, {"      Start  1: bench.open"});
    EXPECT_EQ(progress_line(output, 0.4, 80, plain), "[0/?] 0 s, now bench.open");
    taken(output, {"11/42 Test #1: bench.open ...***Failed    0.31 sec",
                   "      Start 2: core.copy.gpu0_to_gpu1", "      Start 3: core.read.gpu0_to_gpu1"});
    EXPECT_EQ(progress_line(output, 125, 80, plain),
              "[11/42] 2 min 05 s, 1 failed, now core.copy.gpu0_to_gpu1 and 1 more");
    EXPECT_EQ(progress_line(output, 125, 80, plain, 70),
              "[11/42] 2 min 05 s, about 1 min 10 s left, 1 failed, now core.copy.gpu0_to_gp...");
    EXPECT_EQ(progress_line(output, 125, 50, plain).size(), 50u);
    EXPECT_TRUE(says(progress_line(output, 125, 80, Paint{true}), "\033[31m1 failed\033[0m"));
}

TEST(Progress, OfASoakIsItsOwn) {
    CtestOutput output;
    taken(output, {"11/42 Test #1: bench.open ...   Passed    0.31 sec", "      Start 2: soak.rounds.bench"});
    Soak soak{
        .planned_s = 600, .seconds = 100, .rounds = 212, .operations = 4211000, .bytes = 12300000000000};
    EXPECT_EQ(soak_progress(soak),
              "soak: round 213, 8 min 20 s left, 4,211,000 operations, 12.3 TB, 0 wrong");
    soak.after = {
        {0, {{"temperature_c", 64}}, {}, {}}, {1, {{"temperature_c", 71}}, {}, {}}, {2, {}, {}, {}}};
    EXPECT_TRUE(says(soak_progress(soak), "0 wrong, hottest gpu1 at 71 C"));
    EXPECT_EQ(progress_line(output, 125, 100, Paint{}, 70, "soak: round 3"),
              "[11/42] 2 min 05 s, soak: round 3")
        << "what is left is the soak's to say";
}

TEST(Progress, OfASoakIsReadFromItsRecordWhileItRuns) {
    const Session session = [] {
        Session made = sample::open_session(2);
        sample::add_soak(made);
        return made;
    }();
    const Folder folder(session);
    Record record = session.records.back();
    record.finished = false;
    const auto file = folder.record("soak.rounds.bench");
    write_file_atomically(file, to_json(record).dump());
    CtestOutput output;
    EXPECT_EQ(soak_progress_of(output, folder.path), "") << "it does not run";
    taken(output, {"      Start 2: soak.rounds.bench"});
    EXPECT_TRUE(says(soak_progress_of(output, folder.path), "soak: round 213, 1,200,000 operations, 2.0 TB"));
    std::filesystem::remove(file);
    EXPECT_EQ(soak_progress_of(output, folder.path), "");
}

TEST(Summary, HasMatrixFindingsAndWhatToDo) {
    const Session session = sample::locked_session(3);
    const Verdict verdict = judge(session);
    const std::string text = terminal_summary(verdict, session, {});
    for (const char* part :
         {"gpu0       .  c-- c--", "collective: not run", "means: Every kernel that touched"})
        EXPECT_TRUE(says(text, part)) << part << "\n" << text;
    EXPECT_FALSE(says(text, "\033"));
    const std::string painted = terminal_summary(verdict, session, {true});
    EXPECT_TRUE(says(painted, "\033[32mc\033[0m\033[31m-\033[0m\033[31m-\033[0m")) << painted;
    EXPECT_EQ(painted_closing("a\nverdict: locked\nb", verdict, {true}),
              "a\nverdict: \033[32mlocked\033[0m\nb");
}

TEST(Summary, OfManyFindingsSomeAreToldAndTheRestCounted) {
    Session session = sample::open_session(2);
    Verdict verdict = judge(session);
    for (int i = 0; i < 20; ++i) verdict.findings.push_back({"slow link", std::string(1000, 'x'), {}});
    const std::string text = terminal_summary(verdict, session, {});
    EXPECT_TRUE(says(text, "- and 12 more, in report.txt")) << text;
    EXPECT_LT(text.size(), 6000u);
}

class Watch : public testing::Test {
  protected:
    // Through `script`, the output is a terminal's.
    Ran watched(const std::string& before = "", bool terminal = false) {
        Folder::put(folder.path / "ctest.out", input);
        const std::string call = std::string("'" PEERPROOF_REPORT "' watch --log '") +
                                 (folder.path / "log").string() + "' <'" +
                                 (folder.path / "ctest.out").string() + "'";
        Folder::put(folder.path / "call", "#!/bin/sh\n" + before + " " + call + "\n");
        Ran ran;
        const std::string command = terminal
                                        ? "TERM=xterm script -qec 'sh \"" + (folder.path / "call").string() +
                                              "\"' /dev/null </dev/null 2>&1"
                                        : "sh '" + (folder.path / "call").string() + "' 2>&1";
        FILE* pipe = ::popen(command.c_str(), "r");
        char block[4096];
        for (std::size_t got; (got = std::fread(block, 1, sizeof block, pipe)) > 0;)
            ran.output.append(block, got);
        ran.code = WEXITSTATUS(::pclose(pipe));
        return ran;
    }
    const Folder folder{sample::open_session(2)};
    const std::string input =
        "      Start 1: core.read.gpu0_to_gpu1\n1/2 Test #1: core.read.gpu0_to_gpu1 ...***Failed    0.31 "
        "sec\n"
        "core.read.gpu0_to_gpu1: missing\n      Start 2: verdict\n2/2 Test #2: verdict ...   Passed    0.01 "
        "sec\n"
        "no line break at the end";
};

TEST_F(Watch, KeepsEveryByteAndShowsWhatCounts) {
    const Ran ran = watched();
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.output, "failed core.read.gpu0_to_gpu1: missing\n[2/2] 0 s, 1 failed\n");
    EXPECT_EQ(Folder::get(folder.path / "log"), input);
}

// Once the session is opened its plan says how many tests there are; not before, and not of another session.
TEST_F(Watch, SaysHowManyTestsThereAreAndHowLongTheyTake) {
    const std::string of_session =
        "watch --log /dev/null --jobs 4 --session '" + folder.path.string() + "' <'";
    Folder::put(folder.path / "in", "1/61 Test #1: bench.open ...   Passed    0.31 sec\n" + input);
    const Ran ran = run_report(of_session + (folder.path / "in").string() + "'");
    const std::string said = ran.output.substr(0, ran.output.find("\nfailed"));
    const Session session = sample::open_session(2);
    const Plan& plan = *session.plan;
    EXPECT_EQ(said, tests_text(plan) + "\n" + time_text(plan, measured_costs(plan.simulated.has_value()), 4));
    Folder::put(folder.path / "in", input);
    EXPECT_FALSE(says(run_report(of_session + (folder.path / "in").string() + "'").output, "tests on"));
    Folder::put(folder.path / "in", "1/61 Test #1: bench.open ...***Failed    0.31 sec\n");
    EXPECT_FALSE(says(run_report(of_session + (folder.path / "in").string() + "'").output, "tests on"));
}

TEST_F(Watch, ChangesItsLineInPlaceOnATerminalAndOnlyThere) {
    if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "no program `script`";
    const Ran ran = watched("", true);
    EXPECT_EQ(ran.code, 0);
    // Up to the first of its lines, and drawn again.
    EXPECT_TRUE(says(ran.output, "\r\033[1A\033[J")) << ran.output;
    EXPECT_TRUE(says(ran.output, "\033[31mfailed\033[0m core.read")) << ran.output;
    const Ran plain = watched("NO_COLOR=1", true);
    EXPECT_FALSE(says(plain.output, "\033[31m")) << plain.output;
    const Ran dumb = watched("TERM=dumb", true);
    EXPECT_FALSE(says(dumb.output, "\033")) << dumb.output;
}

TEST_F(Watch, ALogThatCannotBeWrittenIsSaidAndNothingIsHidden) {
    Folder::put(folder.path / "in", input);
    const Ran ran = run_report("watch --log /nowhere/log <'" + (folder.path / "in").string() + "'");
    EXPECT_EQ(ran.code, 75);
    EXPECT_TRUE(says(ran.output, "/nowhere/log cannot be written")) << ran.output;
    EXPECT_TRUE(says(ran.output, "[2/2] 0 s, 1 failed"));
}

}  // namespace
}  // namespace peerproof
