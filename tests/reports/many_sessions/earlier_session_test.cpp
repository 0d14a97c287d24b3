// A session that the version before wrote (plan and records of version 3, report of version 2) is judged, compared
// and expected like one of today.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/judging/all_reduces.hpp"
#include "reports/judging/judge.hpp"
#include "reports/judging/measurements.hpp"
#include "reports/many_sessions/comparison.hpp"
#include "session/baseline.hpp"
#include "session/earlier_words.hpp"
#include "session/json.hpp"
#include "tests/reports/folder.hpp"

namespace peerproof {
namespace {

constexpr const char* report = PEERPROOF_EARLIER "/report-2.json";
constexpr std::size_t limit = 1024 * 1024;

void expect_all_of_it(const Session& session) {
    EXPECT_TRUE(session.strays.empty())
        << session.strays.front().file << ": " << session.strays.front().reason;
    const Ledger ledger(session);
    for (const Ledger::Entry& entry : ledger.entries()) EXPECT_NE(entry.record, nullptr) << entry.planned->id;
    EXPECT_TRUE(ledger.unplanned().empty());
    EXPECT_EQ(judge(session).word, VerdictWord::open);
    EXPECT_TRUE(measured(ledger, "read_bandwidth", {0, 1}));
    EXPECT_TRUE(measured(ledger, "bidirectional_copy_bandwidth", {0, 1}));
    EXPECT_EQ(collective_line(ledger), "2 of 2 all-reduces held over P2P and no other path");
    EXPECT_EQ(session.plan->links.at(0).hops.at(0).kind, "gpu");
}

TEST(EarlierSession, IsReadFromItsReport) {
    const Judged judged = read_judged(report);
    EXPECT_EQ(judged.no_verdict_of_its_own, "");
    expect_all_of_it(judged.session);
}

TEST(EarlierSession, IsReadFromItsFolder) {
    const nlohmann::json all = read_json(report, limit);
    const Folder folder;
    Folder::put(folder.path / "plan.json", all.at("plan").dump());
    for (const nlohmann::json& record : all.at("records"))
        Folder::put(folder.record(record.at("case")), record.dump());
    expect_all_of_it(read_session(folder.path, all.at("session")));
}

TEST(EarlierSession, IsABaseline) {
    Plan bench = read_judged(report).session.plan.value();
    AcceptedIfLocked if_locked;
    for (const Case& one : bench.cases) if_locked[one.id] = {Outcome::illegal_address};
    expect_as_in(report, if_locked, bench);
    EXPECT_EQ(bench.find("core.read.gpu0_to_gpu1")->accepted, std::vector{Outcome::delivered});
    EXPECT_TRUE(bench.baseline->differs.empty());
}

TEST(EarlierSession, KeepsWhatIsTextForPeople) {
    const nlohmann::json earlier{{"family", "figure"}, {"check", "both_ways_speed"}, {"summary", "figure"}};
    EXPECT_EQ(in_todays_words(earlier), nlohmann::json({{"family", "measurement"},
                                                        {"check", "bidirectional_copy_bandwidth"},
                                                        {"summary", "figure"}}));
    EXPECT_EQ(todays_case_id("core.read.gpu0_to_gpu1"), "core.read.gpu0_to_gpu1");
}

}  // namespace
}  // namespace peerproof
