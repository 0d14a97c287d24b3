// What was asked of every pair: made of the checks that the plan has.
#include "reports/writing/check_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/judging/judge.hpp"
#include "reports/writing/html/html_report.hpp"
#include "reports/writing/json_report.hpp"
#include "reports/writing/markdown_report.hpp"
#include "reports/writing/text_report.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

// One more check in the plan, at these places, with a record each.
void add_check(Session& session, Family family, const std::string& check, int number,
               const std::vector<std::vector<int>>& places, Outcome outcome) {
    for (const auto& gpus : places) {
        Case one = sample::planned(session, "core.copy.gpu0_to_gpu1");
        one.id = case_id(family, check, place_name(gpus));
        one.family = family;
        one.check = check;
        one.title = "Title of " + check;
        one.number = number;
        one.gpus = gpus;
        Record record = sample::record(session, "core.copy.gpu0_to_gpu1");
        record.case_id = one.id;
        record.family = family;
        record.check = check;
        record.gpus = gpus;
        record.outcome = outcome;
        session.plan->cases.push_back(one);
        session.records.push_back(record);
    }
}

std::vector<Row> rows(const Session& session) { return rows_of(Ledger(session)); }

Row row(const std::vector<Row>& rows, const std::string& check) {
    return *std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.check == check; });
}

TEST(Rows, AreInTheOrderOfTheNumbersOfTheChecks) {
    Session session = sample::open_session(2);
    const std::vector<std::pair<std::string, int>> numbers{
        {"copy", 13}, {"read", 12}, {"write", 22}, {"staged_copy", 21}};
    for (Case& one : session.plan->cases) {
        for (const auto& [check, number] : numbers) {
            if (one.check == check) one.number = number;
        }
    }
    std::vector<std::string> order;
    for (const Row& one : rows(session)) order.push_back(one.check);
    EXPECT_EQ(order, (std::vector<std::string>{"can_access_peer", "enable_peer_access", "read", "copy",
                                               "staged_copy", "write"}));
}

// On an open bench too: nobody must write a line for it.
TEST(Rows, OfANewCheckAreInEveryReport) {
    Session session = sample::open_session(2);
    add_check(session, Family::evidence, "exchange", 23, {{0, 1}, {1, 0}}, Outcome::delivered);
    const Verdict verdict = judge(session);
    ASSERT_EQ(verdict.word, VerdictWord::open);
    const Row exchange = row(rows(session), "exchange");
    EXPECT_EQ(exchange.title, "Title of exchange");
    EXPECT_EQ(exchange.held, 2);
    EXPECT_EQ(exchange.of, 2);
    for (const std::string& report :
         {text_report(verdict, session), printed_report(verdict, session), markdown_report(verdict, session),
          html_report(verdict, session), json_report(verdict, session)})
        EXPECT_NE(report.find("Title of exchange"), std::string::npos);
}

TEST(Rows, AreThereForEachWay) {
    Session session = sample::open_session(2);
    sample::add_ways(session);
    sample::refuse(session, "way.graph.gpu0_to_gpu1", "cudaGraphLaunch", "801 cudaErrorNotSupported");
    const Row graph = row(rows(session), "graph");
    EXPECT_EQ(graph.held, 1);
    EXPECT_EQ(graph.of, 2);
    EXPECT_EQ(graph.answers.back(), (std::pair<std::string, int>{"refused (801 cudaErrorNotSupported)", 1}));
}

TEST(Rows, TellAPairThatThePlanLeavesOut) {
    Session session = sample::open_session(2);
    std::erase_if(session.plan->cases, [](const Case& one) { return one.id == "core.read.gpu1_to_gpu0"; });
    const auto read = row(rows(session), "read");
    EXPECT_EQ(read.held, 1);
    EXPECT_EQ(read.of, 2);
    EXPECT_EQ(read.answers.back(), (std::pair<std::string, int>{"not planned", 1}));
}

TEST(Rows, OfEachGpuSaySo) {
    Session session = sample::open_session(3);
    add_check(session, Family::evidence, "own", 23, {{0}, {2}}, Outcome::wrong);
    const Row own = row(rows(session), "own");
    EXPECT_EQ(own.title, "Title of own, each GPU");
    EXPECT_EQ(own.held, 0);
    EXPECT_EQ(own.of, 2);
}

// A title is a text from a file: it stays in its column.
TEST(Rows, HaveTitlesOfOneLine) {
    Session session = sample::open_session(2);
    for (Case& one : session.plan->cases) {
        if (one.check == "read") one.title = "verdict: open\n\x1b[31mverdict: open " + std::string(300, 'x');
    }
    const std::string text = text_report(judge(session), session);
    EXPECT_EQ(text.find("\x1b"), std::string::npos);
    EXPECT_EQ(text.find("\nverdict: open \n"), std::string::npos);
    EXPECT_NE(text.find("verdict: open ?[31mverdict"), std::string::npos);
    const std::size_t begin = text.find("Check "), end = text.find('\n', begin);
    EXPECT_LT(end - begin, 80u);
}

}  // namespace
}  // namespace peerproof
