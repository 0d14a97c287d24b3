#include "reports/writing/json_report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/judging/judge.hpp"
#include "session/json.hpp"
#include "tests/reports/hostile_texts.hpp"
#include "tests/reports/sample_session.hpp"

namespace peerproof {
namespace {

using nlohmann::json;

json report_of(const Session& session) { return json::parse(json_report(judge(session), session)); }

class JsonFile : public testing::Test {
  protected:
    JsonFile() {
        char name[] = "/tmp/report-json-XXXXXX";
        folder_ = ::mkdtemp(name);
    }
    ~JsonFile() override { std::filesystem::remove_all(folder_); }
    Verdict read_back(const std::string& text) {
        write_file_atomically(folder_ / "report.json", text);
        return read_json_report(folder_ / "report.json");
    }
    std::filesystem::path folder_;
};

TEST(JsonReport, SaysEverything) {
    Session session = sample::locked_session(3);
    sample::observe(session, "evidence.staged_copy.gpu0_to_gpu1", Outcome::missing);
    const json report = report_of(session);
    EXPECT_EQ(report.at("schema"), "peerproof.report/3");
    EXPECT_EQ(report.at("verdict"), "locked");
    EXPECT_EQ(report.at("expected"), "locked");
    EXPECT_EQ(report.at("as_expected"), true);
    EXPECT_EQ(report.at("exit_code"), 0);
    EXPECT_EQ(report.at("simulated"), nullptr);
    EXPECT_EQ(report.at("reasons").size(), report.at("reason_details").size());
    EXPECT_EQ(report.at("signature"),
              (json{{"pairs", 6}, {"checks", 18}, {"failures", 12}, {"records", 18}, {"not_known", 0}}));
    EXPECT_EQ(report.at("expected_signature").at("open").at("failures"), 0);
    EXPECT_EQ(report.at("expected_signature").at("locked").at("failures"), 12);
    EXPECT_EQ(report.at("common_factor"), "all 6 pairs; reads and writes, copies hold");
    ASSERT_EQ(report.at("failing").size(), 12u);
    EXPECT_EQ(report.at("failing")[0],
              (json{{"case", "core.read.gpu0_to_gpu1"},
                    {"check", "read"},
                    {"gpus", {0, 1}},
                    {"outcome", "illegal_address"},
                    {"error", "700 cudaErrorIllegalAddress"},
                    {"summary",
                     "word: moving 8 bytes: cudaDeviceSynchronize answered 700 cudaErrorIllegalAddress"}}));
    EXPECT_EQ(report.at("findings")[0].at("finding"), "staged copy");
    EXPECT_EQ(report.at("findings")[0].at("cases"), json{"evidence.staged_copy.gpu0_to_gpu1"});
    ASSERT_EQ(report.at("rows").size(), 6u);
    EXPECT_EQ(
        report.at("rows")[3],
        (json{{"check", "read"},
              {"title", "Kernel on B reads A's memory"},
              {"held", 0},
              {"of", 6},
              {"answers", {{{"answer", "illegal_address (700 cudaErrorIllegalAddress)"}, {"count", 6}}}}}));
    EXPECT_EQ(report.at("plan").at("cases").size(), session.plan->cases.size());
    EXPECT_EQ(report.at("records").size(), session.records.size());
}

TEST(JsonReport, WithoutAPlan) {
    Session session = sample::open_session(2);
    session.plan.reset();
    session.strays.push_back({"x", "not a record"});
    const json report = report_of(session);
    EXPECT_EQ(report.at("verdict"), "no_verdict");
    EXPECT_EQ(report.at("signature"), nullptr);
    EXPECT_EQ(report.at("plan"), nullptr);
    EXPECT_EQ(report.at("exit_code"), 75);
    EXPECT_EQ(report.at("strays")[0].at("file"), "x");
}

TEST(JsonReport, IsValidWhateverIsInTheSession) {
    for (const std::string& hostile : hostile_texts()) {
        Session session = sample::open_session(2);
        session.id = session.plan->session = session.plan->suite = hostile;
        session.plan->simulated = hostile;
        session.plan->gpus[0].name = session.plan->gpus[0].uuid = hostile;
        session.plan->environment = {{hostile, hostile}};
        session.strays.push_back({hostile, hostile});
        for (Record& record : session.records) {
            record.session = hostile;
            record.summary = record.log = record.check = hostile;
            record.seconds = std::numeric_limits<double>::quiet_NaN();
            record.steps.push_back({.name = hostile, .seconds = HUGE_VAL});
        }
        const std::string text = json_report(judge(session), session);
        EXPECT_EQ(printable(text, text.size()), text) << "not UTF-8";
        EXPECT_TRUE(json::accept(text));
    }
}

TEST_F(JsonFile, IsReadBack) {
    for (const Session& session : {sample::locked_session(3), sample::open_session(2), Session{}}) {
        const Verdict verdict = judge(session);
        const Verdict again = read_back(json_report(verdict, session));
        EXPECT_EQ(again.word, verdict.word);
        EXPECT_EQ(again.exit_code, verdict.exit_code);
        EXPECT_EQ(again.as_expected, verdict.as_expected);
        EXPECT_EQ(again.signature, verdict.signature);
        EXPECT_EQ(again.reasons.front().text, verdict.reasons.front().text);
    }
}

// The word and what was expected of it are the same, and the run is not as expected: only because of the ways.
TEST_F(JsonFile, OfARunWhoseWaysDoNotHoldIsReadBack) {
    Session session = sample::open_session(2);
    sample::add_ways(session);
    session.plan->required_ways = {"vmm"};
    sample::refuse(session, "way.vmm.gpu1_to_gpu0", "cuMemSetAccess", "801 CUDA_ERROR_NOT_SUPPORTED");
    const json report = report_of(session);
    EXPECT_EQ(report.at("ways").at("hold"), false);
    EXPECT_EQ(report.at("ways").at("each").at("vmm"),
              json::parse(R"({"required": true, "pairs": 2, "outcomes": [
                  {"outcome": "refused", "count": 1, "pairs": ["gpu1_to_gpu0"], "error": "cuMemSetAccess 801"},
                  {"outcome": "delivered", "count": 1, "pairs": ["gpu0_to_gpu1"], "error": ""}]})"));
    const Verdict verdict = read_back(report.dump());
    EXPECT_EQ(verdict.word, VerdictWord::open);
    EXPECT_FALSE(verdict.as_expected);
    EXPECT_EQ(verdict.exit_code, 1);
    json forged = report;
    forged["ways"]["hold"] = true;
    EXPECT_THROW(read_back(forged.dump()), FormatError);
    forged = report;
    forged["as_expected"] = true;
    forged["exit_code"] = 0;
    EXPECT_THROW(read_back(forged.dump()), FormatError);
    json before = report_of(sample::open_session(2));
    before.erase("ways");
    EXPECT_TRUE(read_back(before.dump()).as_expected) << "of before there were ways";
}

TEST_F(JsonFile, OfTheVersionBeforeIsRead) {
    json old = report_of(sample::locked_session(3));
    old["schema"] = "peerproof.report/1";
    old["signature"].erase("not_known");
    EXPECT_EQ(read_back(old.dump()).signature->failures, 12);
    old["schema"] = "peerproof.report/2";
    EXPECT_THROW(read_back(old.dump()), FormatError);
}

TEST_F(JsonFile, OfAnotherSessionIsRefusedWhereOneIsNamed) {
    read_back(report_of(sample::open_session(2)).dump());
    EXPECT_NO_THROW(read_json_report(folder_ / "report.json", sample::session_id));
    EXPECT_THROW(read_json_report(folder_ / "report.json", "another"), FormatError);
}

TEST_F(JsonFile, MembersThatContradictEachOtherAreRefused) {
    const Session session = sample::locked_session(3);
    const json good = report_of(session);
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, json>>{{"verdict", "open"},
                                                             {"verdict", "partial"},
                                                             {"verdict", "no_verdict"},
                                                             {"verdict", "fine"},
                                                             {"expected", "open"},
                                                             {"expected", nullptr},
                                                             {"as_expected", false},
                                                             {"exit_code", 1},
                                                             {"exit_code", 75},
                                                             {"exit_code", -1},
                                                             {"schema", "peerproof.report/4"},
                                                             {"reasons", "x"},
                                                             {"signature", 3}}) {
        json bad = good;
        bad[key] = value;
        EXPECT_THROW(read_back(bad.dump()), FormatError) << key << " " << value;
    }
    for (const auto& [key, value] : good.items()) {
        json bad = good;
        bad.erase(key);
        if (key == "schema" || key == "verdict" || key == "as_expected" || key == "exit_code") {
            EXPECT_THROW(read_back(bad.dump()), FormatError) << key;
        }
    }
}

}  // namespace
}  // namespace peerproof
